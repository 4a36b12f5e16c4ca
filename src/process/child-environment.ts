/** Marks of a claude session around ralph, which an agent inside must not take for its own. Its settings stay. */
const sessionMarks = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT'];

/** What ties git to another repository or index than the one of the current folder: set where ralph runs inside a hook. */
const gitPlaces = [
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_WORK_TREE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
];

/** Marks git and other helpers of a run by its id: a kill of ralph leaves them running, and the next run must not race them. */
export const HELPER_MARK = 'RALPH_HELPER_OF';

export interface ChildScope {
  readonly run: string;
  readonly iteration: number;
  /** Undefined in prompt mode: the child then has no RALPH_STORY_ID, not even an inherited one. */
  readonly story: string | undefined;
}

/** The environment of agents, gates, checks and hooks alike: the user's, less those marks, with the facts of the iteration. */
export function childEnvironment(base: Readonly<NodeJS.ProcessEnv>, scope: ChildScope): NodeJS.ProcessEnv {
  const env = { ...base };
  for (const name of [...sessionMarks, ...gitPlaces, HELPER_MARK, 'RALPH_STORY_ID']) delete env[name];
  env['RALPH_RUN_ID'] = scope.run;
  env['RALPH_ITERATION'] = String(scope.iteration);
  // The system ends a value at NUL and refuses to start a process with one.
  if (scope.story !== undefined) env['RALPH_STORY_ID'] = scope.story.replaceAll('\0', '');
  env['GIT_TERMINAL_PROMPT'] = '0';
  env['GIT_EDITOR'] = 'true';
  return env;
}

/** The environment of an agent that a person talks with: the user's, less those marks, and of no run. */
export function terminalEnvironment(base: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const env = { ...base };
  for (const name of [...sessionMarks, ...gitPlaces, HELPER_MARK]) delete env[name];
  return env;
}

/** The variables by which the processes of a run are known, as `NAME=value`. */
export function marksOf(run: string, helpers: boolean): string[] {
  return [`RALPH_RUN_ID=${run}`, ...(helpers ? [`${HELPER_MARK}=${run}`] : [])];
}
