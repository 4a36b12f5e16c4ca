/** What the help says besides commands and options. */

const exitCodes = `Exit codes:
  0   complete                       6    stalled: stalls or failures in a row
  1   iterations used up             7    another loop works in this tree
  2   bad option, config, PRD or     8    usage limit, and not to be waited for
      repository state               9    stopped by ralph stop
  3   blocked: a person is needed    10   git or disk refuses; work is kept
  4   agent not available            70   a bug in ralph
  5   budget reached                 129, 130, 143   interrupted
`;

export const rootNotes = `
ralph [iterations] [options] is the same as ralph run [iterations] [options].
All its options: ralph run --help

${exitCodes}`;

export const runNotes = `
Durations: 90s, 15m, 8h, 500ms. Precedence: option, RALPH_<NAME> in the environment, ralph.config.json, default.
What stands behind -- is handed to the agent's command line.

${exitCodes}`;
