/** Draws docs/demo.svg from a real run of `ralph demo`: npm run picture */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hideFolder, shortenIterations } from './recording.ts';
import { renderTerminalSvg } from './render-terminal-svg.ts';

const root = process.cwd();
const output = execFileSync(process.execPath, [join(root, 'bin/ralph.js'), 'demo'], {
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: '1' },
});
// The two iterations in between are those of which the demo is about.
const shown = `$ npm run demo\n\n${shortenIterations(hideFolder(output), [1, 4])}`;
writeFileSync(join(root, 'docs/demo.svg'), renderTerminalSvg(shown, { columns: 118, title: 'ralph demo' }));
