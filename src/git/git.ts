import { simpleGit } from 'simple-git';
import type { SimpleGit } from 'simple-git';
import { RalphError } from '../errors.ts';
import { runTool, ToolError } from '../process/run-tool.ts';
import type { ToolResult } from '../process/types.ts';

/** git refused, or could not be run: exit code `environment`, with git's own words. */
export class GitError extends RalphError {
  constructor(args: readonly string[], words: string, cause?: unknown) {
    super('environment', `git ${args[0] ?? ''} failed`, {
      problems: words
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .slice(0, 20),
      cures: [`see what git says to: git ${args.join(' ').slice(0, 200)}`],
      cause,
    });
    this.name = 'GitError';
  }
}

export interface RunOptions {
  readonly input?: Uint8Array;
  /** Added to git's environment: another index, another git folder. */
  readonly env?: NodeJS.ProcessEnv;
  /** Exit codes that are an answer and no failure. */
  readonly accept?: readonly number[] | 'any';
  /** Ends git; then it has failed. For what may take long and can be left undone. */
  readonly signal?: AbortSignal;
}

/** git in one working tree. Paths in arguments are relative to its root. */
export interface Git {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** For what is text: trimmed standard output. Throws GitError. */
  text(...args: readonly string[]): Promise<string>;
  /** For what is bytes, has an input, or needs another index. Throws GitError for an exit code that isn't accepted. */
  run(args: readonly string[], options?: RunOptions): Promise<ToolResult>;
}

/** Nothing that is asked of git here takes so long; one that hangs (a network drive, a filter) must end. */
const LIMIT_MS = 10 * 60_000;

/** The variables with which git itself, running a hook, would point us at another repository. */
const foreign = [
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_WORK_TREE',
  'GIT_PREFIX',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
  'GIT_QUARANTINE_PATH',
  // These would give the paths in our arguments another meaning.
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
];

export function createGit(root: string, base: NodeJS.ProcessEnv): Git {
  const env: NodeJS.ProcessEnv = { ...base, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  for (const name of foreign) delete env[name];
  let client: SimpleGit | undefined;
  return {
    root,
    env,
    async text(...args) {
      client ??= createClient(root, env);
      try {
        return (await client.raw([...args])).trim();
      } catch (error) {
        throw new GitError(args, error instanceof Error ? error.message : String(error));
      }
    },
    async run(args, options = {}) {
      const result = await runTool('git', args, {
        cwd: root,
        env: options.env === undefined ? env : { ...env, ...options.env },
        timeoutMs: LIMIT_MS,
        ...(options.input === undefined ? {} : { input: options.input }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }).catch((error: unknown) => {
        throw error instanceof ToolError ? new GitError(args, error.message, error) : error;
      });
      const { accept = [] } = options;
      if (result.code === 0 || accept === 'any' || accept.includes(result.code)) return result;
      throw new GitError(args, result.stderr);
    },
  };
}

/**
 * simple-git refuses variables and commands that could run a program. Here they are the user's own environment, and no
 * argument comes from an agent unescaped, so what the user has set is let through as git itself would take it.
 */
function createClient(root: string, env: NodeJS.ProcessEnv): SimpleGit {
  const guarded = Object.keys(env).filter((name) => /^(GIT_|SSH_ASKPASS|EDITOR|VISUAL|PAGER|PREFIX)/i.test(name));
  return simpleGit({
    baseDir: root,
    trimmed: true,
    timeout: { block: LIMIT_MS },
    allowEnvironment: guarded,
    unsafe: {
      allowUnsafeEditor: true,
      allowUnsafePager: true,
      allowUnsafeAskPass: true,
      allowUnsafeSshCommand: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeConfigEnvCount: true,
      allowUnsafeDiffExternal: true,
      allowUnsafeGitProxy: true,
      allowUnsafeTemplateDir: true,
      allowUnsafeExec: true,
      allowUnsafePack: true,
    },
  }).env(env);
}
