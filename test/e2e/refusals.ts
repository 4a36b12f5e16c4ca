/** All that ralph refuses at the start, and a few words that make no sense. */
import fs from 'node:fs';
import path from 'node:path';
import { gitRefusals, start } from './git-refusals.ts';
import type { Refusal } from './refusal.ts';
import { prdText } from './setting.ts';

const wrongShape = '[{"id": "1", "name": "Add a field", "status": "open", "acceptance_criteria": ["It is there"]}]';

const input: Refusal[] = [
  ...(['ralph init', 'ralph convert', 'ralph run --prd'] as const).map((cure): Refusal => {
    return {
      name: `no prd.json: ${cure}`,
      provoke(w) {
        w.remove('prd.json');
        if (cure === 'ralph convert')
          w.write('tasks/prd-x.md', '# PRD: X\n\n## User Stories\n\n### US-001: Add x\n\n- [ ] It is there\n');
        if (cure === 'ralph run --prd') w.write('tasks/prd x.json', prdText([{ passes: true }]));
      },
      type: cure === 'ralph run --prd' ? 'ralph run 1' : 'ralph check',
      says: 'there is no prd.json',
      cure,
    };
  }),
  {
    name: 'a list of another tool',
    provoke: (w) => w.write('prd.json', wrongShape),
    type: 'ralph check',
    says: 'the top level is a list',
    cure: 'ralph convert',
  },
  {
    name: 'a PRD that is not there',
    provoke: () => {},
    type: 'ralph run 1 --prd nowhere.json',
    says: 'nowhere.json',
    cure: 'ralph run',
  },
  {
    name: 'a folder that is not there',
    provoke: () => {},
    type: 'ralph -C nowhere',
    says: 'nowhere',
    cure: 'ralph run',
  },
  { name: 'an empty config', provoke: (w) => w.write('ralph.config.json', ''), says: 'is empty', cure: 'echo' },
  {
    name: 'a config that is a folder',
    provoke: (w) => void w.sh('rm ralph.config.json; mkdir ralph.config.json'),
    says: 'is a folder',
    cure: 'mv',
  },
  ...(['ralph run --no-gates', 'ralph run --allow-red'] as const).map((cure): Refusal => {
    return {
      name: `a red gate: ${cure}`,
      provoke: (w) => w.write('BROKEN', ''),
      type: start,
      says: 'is red before any work',
      cure,
    };
  }),
  {
    name: 'a loop in a loop',
    provoke: () => {},
    env: { RALPH_RUN_ID: 'outer' },
    says: 'inside an iteration of another run',
    cure: 'ralph run --nested',
  },
  {
    name: 'a flag with a value',
    provoke: () => {},
    type: 'ralph run 1 --push=false',
    says: 'takes no value',
    cure: 'ralph run',
  },
  {
    name: 'a mistyped command',
    provoke: () => {},
    type: 'ralph statsu',
    says: 'unknown',
    cure: 'ralph status',
    isWhole: true,
  },
  { name: 'a mistyped agent', provoke: () => {}, type: 'ralph run --tool cluade', says: 'unknown', cure: 'ralph run' },
  {
    name: 'a folder for the result that is not there',
    provoke: (w) => w.write('x.json', wrongShape),
    type: 'ralph convert x.json -o new/prd.json',
    says: 'there is no folder',
    cure: 'mkdir',
  },
];

const agents: Refusal[] = [
  {
    name: 'no agent at all',
    provoke: (w) => ['claude', 'amp'].forEach((name) => w.remove(path.join(w.bin, name))),
    type: 'ralph run 1',
    code: 4,
    says: 'no coding agent was chosen',
    cure: 'npm install -g @anthropic-ai/claude-code',
  },
  {
    name: 'an agent that is not installed',
    provoke: (w) => w.remove(path.join(w.bin, 'claude')),
    type: 'ralph run 1 --tool claude',
    code: 4,
    says: "can't be started",
    cure: 'npm install',
  },
  {
    name: 'an agent where nobody is logged in',
    provoke(w) {
      const login = `#!/bin/sh\ncase "$1 $2" in "auth login") rm '${w.bin}/logged-out' ;; *) exec '${w.bin}/npm-claude' "$@" ;; esac\n`;
      fs.writeFileSync(path.join(w.bin, 'logged-out'), '');
      fs.writeFileSync(path.join(w.bin, 'claude'), login, { mode: 0o755 });
    },
    type: 'ralph run 1 --tool claude',
    code: 4,
    says: 'nobody is logged in',
    cure: 'claude auth login',
  },
  {
    name: 'root',
    provoke: () => {},
    type: 'ralph run 1 --tool claude',
    env: { IS_SANDBOX: undefined },
    code: 4,
    says: 'refuses to skip its permission questions as root',
    cure: 'export IS_SANDBOX=1',
  },
];

const files: Refusal[] = [
  {
    name: 'an archive that is no folder',
    provoke(w) {
      w.write('progress.txt', '# Ralph Progress Log\nBranch: ralph/old\nStarted: x\n---\n\n## then\n- learnt\n---\n');
      w.write('archive', '');
    },
    type: start,
    says: "the archive can't be written",
    cure: 'mv',
  },
  {
    name: 'nothing to archive',
    provoke: (w) => w.remove('prd.json'),
    type: 'ralph archive',
    says: 'there is nothing to archive',
    cure: 'ralph archive list',
    isWhole: true,
  },
  {
    name: 'an archive of which only a part of the name is known',
    provoke: (w) => void w.sh('mkdir -p archive/2026-01-02-feature; mv prd.json archive/2026-01-02-feature'),
    type: 'ralph archive restore feature',
    says: 'has no archive',
    cure: 'ralph archive restore',
    isWhole: true,
  },
  {
    name: 'a story that is not there',
    provoke: () => {},
    type: 'ralph unblock us-01',
    says: 'has no story',
    cure: 'ralph unblock US-001',
    isWhole: true,
  },
  { name: 'no run yet', provoke: () => {}, type: 'ralph logs', says: 'there is no run', cure: 'ralph run' },
  {
    name: 'a place of the runs that is no folder',
    provoke: (w) => w.write('.ralph', ''),
    code: 10,
    type: start,
    says: "The folder of this run can't be made",
    cure: 'mv',
  },
  {
    name: 'a place of the lock that is no folder',
    provoke: (w) => w.write('.git/ralph', ''),
    code: 10,
    type: start,
    says: "The lock can't be taken",
    cure: 'mv',
  },
];

const isRoot = process.getuid?.() === 0;

export const refusals: readonly Refusal[] = [...gitRefusals, ...input, ...agents, ...files].filter(
  ({ name }) => name !== 'root' || isRoot,
);
