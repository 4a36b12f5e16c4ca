import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../src/process/child-environment.ts';

const scope = { run: 'r1', iteration: 3, story: 'US-001' };

describe('childEnvironment', () => {
  it('adds the facts of the iteration and keeps git from asking', () => {
    expect(childEnvironment({ HOME: '/h' }, scope)).toEqual({
      HOME: '/h',
      RALPH_RUN_ID: 'r1',
      RALPH_ITERATION: '3',
      RALPH_STORY_ID: 'US-001',
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'true',
    });
  });

  it('drops the marks of a session around it and what ties git to a place, but no setting', () => {
    const base = {
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SSE_PORT: '1',
      GIT_DIR: '/x',
      GIT_INDEX_FILE: '/x/index',
      GIT_WORK_TREE: '/y',
      GIT_COMMON_DIR: '/z',
    };
    const env = childEnvironment({ ...base, CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9', GIT_AUTHOR_NAME: 'A' }, scope);
    for (const name of Object.keys(base)) expect(env).not.toHaveProperty(name);
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9', GIT_AUTHOR_NAME: 'A' });
  });

  it('has no story in prompt mode, not even an inherited one', () => {
    expect(childEnvironment({ RALPH_STORY_ID: 'old' }, { ...scope, story: undefined })).not.toHaveProperty(
      'RALPH_STORY_ID',
    );
  });

  it('leaves the given environment as it is, and drops NUL from an id', () => {
    const base = { GIT_DIR: '/x' };
    expect(childEnvironment(base, { ...scope, story: 'a\0b' })['RALPH_STORY_ID']).toBe('ab');
    expect(base).toEqual({ GIT_DIR: '/x' });
  });
});
