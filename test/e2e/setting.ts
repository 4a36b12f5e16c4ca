/** What a test says about its repository and its agent, and how that is laid out on disk. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { newRepository } from '../new-repository.ts';
import type { AgentScript } from './agent-context.ts';

const agentProgram = fileURLToPath(new URL('scripted-agent.mjs', import.meta.url));

export interface Setting {
  /** Each may override any key of an ordinary story. */
  stories?: object[];
  /** The whole text of prd.json; null: there is none. */
  prd?: string | null;
  /** Keys of prd.json beside the stories. */
  prdKeys?: object;
  /** Beside one gate `sound`, red while a file BROKEN exists, and no delay. null: no config. */
  config?: object | null;
  /** In the first commit. */
  files?: Record<string, string>;
  agent?: AgentScript;
  /** The agents on PATH. */
  tools?: string[];
  /** Name of the folder of the repository. */
  folder?: string;
  /** false: a folder that is no repository. */
  repository?: boolean;
  env?: Record<string, string>;
}

/** What filling it takes of a world. */
interface Fresh {
  readonly repo: string;
  readonly home: string;
  readonly bin: string;
  write(file: string, data: string): void;
  config(config: object): void;
  git(...args: string[]): string;
}

/** The text of a prd.json with these stories. */
export function prdText(stories: object[], more: object = {}): string {
  const userStories = stories.map((story, at) => ({
    id: `US-00${at + 1}`,
    title: `Story ${at + 1}`,
    acceptanceCriteria: ['The file exists', 'Typecheck passes'],
    priority: at + 1,
    passes: false,
    ...story,
  }));
  return `${JSON.stringify({ project: 'Test', branchName: 'ralph/feature', description: 'd', ...more, userStories }, null, 2)}\n`;
}

/** Fills a fresh world. */
export function prepare(world: Fresh, setting: Setting): void {
  fs.writeFileSync(
    path.join(world.home, '.gitconfig'),
    '[user]\n\tname = Tester\n\temail = tester@example.com\n[init]\n\tdefaultBranch = main\n[maintenance]\n\tauto = false\n',
  );
  const script = setting.agent ?? ((a) => a.solve());
  fs.writeFileSync(path.join(world.bin, 'agent.mjs'), `export default ${asExpression(script.toString())};\n`);
  for (const tool of setting.tools ?? ['claude', 'amp', 'plain']) {
    fs.writeFileSync(path.join(world.bin, tool), launcher(tool, world.bin), { mode: 0o755 });
  }
  world.write('README.md', '# test project\n');
  for (const [file, text] of Object.entries(setting.files ?? {})) world.write(file, text);
  if (setting.config !== null) {
    world.config({ gates: [{ name: 'sound', run: 'test ! -e BROKEN' }], ...setting.config });
  }
  if (setting.prd !== null) world.write('prd.json', setting.prd ?? prdText(setting.stories ?? [{}], setting.prdKeys));
  if (setting.repository === false) return;
  newRepository(world.repo);
  world.git('add', '--all');
  world.git('commit', '--quiet', '--message', 'base');
}

/** What ralph asks an agent before a run is answered by the shell: a start of Node for each answer takes longer than the test. */
function launcher(tool: string, bin: string): string {
  const version = tool === 'amp' ? '0.0.1790142911' : '2.1.332 (Claude Code)';
  const login = (loggedIn: boolean): string =>
    `echo '${JSON.stringify({ loggedIn, authMethod: 'claude.ai', apiProvider: 'firstParty' })}'`;
  return `#!/bin/sh
case "$1" in
  --version) echo '${version}' ;;
  auth) if [ -e '${bin}/logged-out' ]; then ${login(false)}; exit 1; else ${login(true)}; fi ;;
  *) exec '${process.execPath}' '${agentProgram}' ${tool} '${bin}' "$@" ;;
esac
`;
}

/** A function in the short form of a method is no expression by itself. */
function asExpression(script: string): string {
  return /^(async\s+)?agent\s*\(/u.test(script) ? `({ ${script} }).agent` : script;
}
