import type { CommandRow } from './row-types.ts';

/** Options of one command alone. */
export const commandRows = [
  {
    command: 'init',
    flags: '--skills <place>',
    group: 'Options:',
    help: 'where the skills go: claude, agents or none',
    otherwise: 'where the tools that are here look',
  },
  { command: 'prd', flags: '--answers <text>', group: 'Options:', help: 'answers like "1B 2A 3C"; nobody is asked' },
  { command: 'prd', flags: '--yes', group: 'Options:', help: 'take what the agent recommends; nobody is asked' },
  {
    command: 'convert',
    flags: '-o, --output <file>',
    group: 'Options:',
    help: 'write this file',
    otherwise: 'prd.json',
  },
  { command: 'convert', flags: '--dry-run', group: 'Options:', help: 'show the result, and write nothing' },
  {
    command: 'convert',
    flags: '--with-agent',
    group: 'Options:',
    help: 'have an agent convert it, whatever its shape',
  },
  { command: 'check', flags: '--json', group: 'Options:', help: 'as one JSON document' },
  { command: 'check', flags: '--strict', group: 'Options:', help: 'a warning counts as an error, too' },
  { command: 'logs', flags: '--run <id>', group: 'Options:', help: 'a run by its id', otherwise: 'the newest' },
  { command: 'logs', flags: '-f, --follow', group: 'Options:', help: 'go on until the iteration ends' },
  { command: 'logs', flags: '--raw', group: 'Options:', help: 'the bytes as the agent wrote them' },
  { command: 'stop', flags: '--now', group: 'Options:', help: 'end the iteration, too: it is settled as interrupted' },
  { command: 'clean', flags: '--older <d>', group: 'Options:', help: 'those that ended so long ago', otherwise: '30d' },
  { command: 'clean', flags: '--dry-run', group: 'Options:', help: 'name what would be removed, and remove nothing' },
] as const satisfies readonly CommandRow[];
