/** A world for the tests of `ralph convert`: a package with a document in it. */
import { convert } from '../../../src/commands/convert.ts';
import { createWorld, plain } from './world.ts';
import type { World } from './world.ts';

const options = { ...plain, given: {}, output: undefined, dryRun: false, withAgent: false, agentArgs: [] };

export interface ConvertWorld extends World {
  run(file: string, more?: object, env?: NodeJS.ProcessEnv): Promise<number>;
  /** What was written to standard error so far. */
  errors(): string;
  prd(file?: string): { [key: string]: unknown; userStories: Record<string, unknown>[] };
}

export function createConvertWorld(): ConvertWorld {
  const w = withConvert(createWorld());
  w.write('package.json', JSON.stringify({ name: 'app', scripts: { test: 'x', typecheck: 'y' } }));
  w.write('.gitignore', 'bin/\n');
  w.write('tasks/prd-due.md', document('Due', 'Print the date'));
  w.git('add', '-A');
  w.git('commit', '--quiet', '-m', 'base');
  return w;
}

/** The command in a world that may have other files, or none. */
export function withConvert(w: World): ConvertWorld {
  let errors = '';
  return {
    ...w,
    run: async (file, more = {}, env = {}) => {
      const io = w.from('.', env);
      const err = (text: string): void => {
        errors += text;
      };
      return convert({ ...options, file, ...more }, { ...io, writer: { ...io.writer, err } });
    },
    errors: () => errors,
    prd: (file = 'prd.json') => JSON.parse(w.read(file)),
  };
}

export const document = (title: string, ...stories: string[]): string =>
  `# PRD: ${title}\n\n## Introduction\n\nAbout ${title}.\n\n## User Stories\n\n${stories
    .map((story, index) => `### US-00${index + 1}: ${story}\n\n**Acceptance Criteria:**\n\n- Prints ${story}\n`)
    .join('\n')}\n## Non-Goals\n\n- More\n`;
