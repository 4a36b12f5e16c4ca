import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.ts';
import { UsageError } from '../../../src/errors.ts';

function errorOf(text: string): { headline: string; problems: readonly string[]; cures: readonly string[] } {
  try {
    parseConfig(text);
  } catch (error) {
    if (error instanceof UsageError) return { headline: error.message, problems: error.problems, cures: error.cures };
    throw error;
  }
  throw new Error('it was accepted');
}

const problemsOf = (value: object): readonly string[] =>
  errorOf(JSON.stringify(value)).problems.map((line) => line.replace(/^ralph\.config\.json:1:\d+: /, ''));

describe('parseConfig', () => {
  it('gives the values as they are written, without $schema', () => {
    const written = {
      maxIterations: 20,
      maxCost: 1.5,
      delay: 0,
      maxDuration: '8h',
      gates: ['npm run lint', { name: 'slow', run: 'make slow', timeout: '30m' }],
      agents: { mine: { command: 'my-agent' } },
      baseBranch: 'develop',
      commitMessage: '{{storyId}}: {{ storyTitle }} {% x %}',
    };
    expect(parseConfig(JSON.stringify({ $schema: './x.json', ...written }))).toEqual(written);
  });

  it('accepts a byte order mark, CRLF and an empty object', () => {
    expect(parseConfig('\uFEFF{\r\n  "maxAttempts": 7\r\n}\r\n')).toEqual({ maxAttempts: 7 });
    expect(parseConfig('{}')).toEqual({});
  });

  it('lists all problems at once, in the order of the file, with line and column', () => {
    const text = `{
  "maxIteration": 3,
  "idleTimeout": 600,
  "gates": [{ "name": "a", "rum": "x" }, 3],
  "tool": ""
}`;
    expect(errorOf(text)).toMatchObject({
      headline: 'ralph.config.json is not valid',
      problems: [
        'ralph.config.json:2:3: maxIteration is unknown (did you mean maxIterations?)',
        'ralph.config.json:3:18: idleTimeout has no unit: 600s for seconds, 600m for minutes, 600h for hours',
        'ralph.config.json:4:13: gates[0].run is missing; it must be text',
        'ralph.config.json:4:28: gates[0].rum is unknown (did you mean run?)',
        'ralph.config.json:4:42: gates[1] must be a command, or an object of name, run and timeout',
        'ralph.config.json:5:11: tool must be text that is not empty, not ""',
      ],
    });
  });

  it.each([
    ['{ "a": 1,, }', /^ralph\.config\.json:1:10: /],
    ['{\n  "a": 1\n', /^ralph\.config\.json:\d:\d: .*still open/],
    ["{ 'a': 1 }", /double quotes/],
    ['// x\n{}', /no comments/],
  ])('a syntax error has file, line and column: %j', (text, wanted) => {
    const { headline, problems } = errorOf(text);
    expect(headline).toBe('ralph.config.json is not valid JSON');
    expect(problems).toEqual([expect.stringMatching(wanted)]);
  });

  it.each(['', ' \n', '\uFEFF'])('an empty file is said to be empty: %j', (text) => {
    expect(errorOf(text).headline).toBe('ralph.config.json is empty');
  });

  it.each(['[]', '"x"', 'null', '3'])('%s is no config', (text) => {
    expect(errorOf(text).problems).toEqual([expect.stringMatching(/^ralph\.config\.json:1:1: must be an object/)]);
  });

  it('names unknown keys at every level', () => {
    expect(problemsOf({ agents: { mine: { comand: 'x' } } })).toEqual([
      'agents.mine.command is missing; it must be text',
      'agents.mine.comand is unknown (did you mean command?)',
    ]);
    expect(problemsOf({ agent: 'amp' })).toEqual(['agent is unknown (did you mean tool?)']);
    expect(problemsOf({ gate: ['x'] })).toEqual(['gate is unknown (did you mean gates?)']);
    expect(problemsOf({ 'max-stalls': 3 })).toEqual(['max-stalls is unknown (did you mean maxStalls?)']);
    expect(problemsOf({ frobnicate: 1 })).toEqual(['frobnicate is unknown']);
    expect(problemsOf({ dryRun: true })).toEqual([
      'dryRun is unknown: --dry-run belongs to one call, not into the file',
    ]);
    expect(errorOf('{"__proto__": {}, "constructor": 1}').problems).toHaveLength(2);
  });

  it('refuses a key that stands twice: only one of them could count', () => {
    expect(errorOf('{"delay": "1s", "delay": "2s"}').problems).toEqual([
      'ralph.config.json:1:17: delay stands there twice',
    ]);
  });

  it('takes no text for a number, and no number for a text', () => {
    expect(problemsOf({ maxIterations: '3', model: 7, push: 'yes', maxCost: '1' })).toEqual([
      'maxIterations must be a whole number above 0, not "3"',
      'model must be text, not 7',
      'push must be true or false, not "yes"',
      'maxCost must be a number of US dollars above 0, not "1"',
    ]);
    expect(problemsOf({ model: null })).toEqual(['model must be text, not null']);
  });

  it.each([
    [{ gates: 'npm test' }, 'gates must be a list of commands like ["npm test"], or [] for none, not "npm test"'],
    [{ gates: [{ name: 'a', run: 'x' }, 'y', { name: 'a', run: 'z' }] }, 'gates[2].name is used twice: "a"'],
    [{ gates: [{ name: 'a\nb', run: 'x' }] }, 'gates[0].name must be one line of text that is not empty, not "a\\nb"'],
    [{ gates: [{ name: 'a', run: 'x', timeout: '0' }] }, 'gates[0].timeout must be longer than 0'],
    [{ agents: { 'two words': { command: 'x' } } }, 'agents["two words"] must be a name without blanks'],
    [{ agents: { a: { command: 'x', prompt: 'fax' } } }, 'agents.a.prompt must be stdin, file or argument, not "fax"'],
    [
      { agents: { a: { command: 'x', model: ['-m'] } } },
      'agents.a.model must contain {{model}} in one of the arguments',
    ],
    [{ agents: [] }, 'agents must be agents by name, not []'],
    [{ verify: 'npm ci' }, 'verify must be an object like { "setup": "npm ci" }, not "npm ci"'],
    [{ verify: { setup: ' ' } }, 'verify.setup must be text that is not empty, not " "'],
    [{ verify: { setpu: 'x' } }, 'verify.setpu is unknown (did you mean setup?)'],
    [{ hooks: 'no' }, 'hooks must be true or false, not "no"'],
    [{ commitMessage: 'a\nb' }, 'commitMessage must be one line of text that is not empty, not "a\\nb"'],
    [{ commitMessage: '{{storyid}}' }, 'commitMessage has an unknown placeholder {{storyid}} (did you mean storyId?)'],
    [{ onLimit: 'Wait' }, 'onLimit must be wait or stop, not "Wait"'],
  ])('%j: %s', (value, problem) => expect(problemsOf(value)).toEqual([problem]));
});
