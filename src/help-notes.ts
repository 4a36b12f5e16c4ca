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

export const archiveNotes = `
ralph archive                  moves prd.json and progress.txt into archive/ and starts a fresh log
ralph archive list             what is there, newest last
ralph archive restore <name>   brings a pair back; what is in its place is archived first
`;

export const verifyNotes = `
The checkout is made in the temp folder and removed again. "verify": { "setup": "npm ci" } in ralph.config.json
is run in it first. Exit 0: all holds; 1: something does not.
`;

export const doctorNotes = `
Exit codes: 0 a run can start; 2 bad option, config, PRD or repository state; 4 agent not available.
`;
