import { describe, expect, it } from 'vitest';
import { blockedBy, good } from './fake-agents.ts';
import { once, START, World } from './fake-ports.ts';

const checks = ['make sure'];

describe('a claim', () => {
  it('passes when gates and checks are green after a change, in this order, and is committed with what stands behind it', async () => {
    const world = new World({ stories: [{ checks }], gates: ['lint', 'test'], agent: good, userFiles: true });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.checks).toEqual(['lint', 'test', 'US-001-1']);
    expect(world.steps).toEqual(['snapshot', 'agent', 'lint', 'test', 'US-001-1', 'put back', 'commit', 'release']);
    expect(world.commits).toHaveLength(1);
    expect(world.commits[0]).toMatchObject({
      subject: 'feat: [US-001] - Story 1',
      files: ['src/US-001'],
      trailers: {
        'Ralph-Story': 'US-001',
        'Ralph-Run': 'run-1',
        'Ralph-Iteration': '1',
        'Ralph-Gates': 'lint, test, checks of US-001; uncommitted files of the user were present',
      },
    });
    expect(JSON.parse(world.commits[0]?.prd ?? '').userStories[0]).toMatchObject({
      passes: true,
      ralph: { attempts: 1, verified: { at: new Date(START).toISOString(), run: 'run-1' } },
    });
    expect(world.event('story.passed')).toEqual([
      { type: 'story.passed', commit: 'commit-1', verified: true, attempts: 1, iteration: 1, story: 'US-001' },
    ]);
    expect(world.verdicts()).toEqual(['passed']);
  });

  it.each(['crash', 'killed', 'idle', 'timeout', 'empty', 'budget'] as const)(
    'is judged however the agent ended: %s',
    async (end) => {
      const world = new World({ agent: (hand) => (hand.work(), { class: end, exit: 1 }) });
      expect(await world.run()).toEqual({ reason: 'complete' });
      expect(world.state.failures).toBe(0);
    },
  );

  it('without any change and without checks is rejected, and the agent is told to add a test', async () => {
    const world = new World({ options: { ...once, maxAttempts: 9 }, agent: (hand) => hand.tick() });
    expect(await world.run()).toEqual({ reason: 'iterations' });
    expect(world.checks).toEqual([]);
    expect(world.event('story.rejected')[0]?.reason).toMatch(/add a test that proves it/);
    expect(world.story()).toMatchObject({ passes: false, attempts: 1 });
  });

  it('without any change passes if a check of the story ran and is green', async () => {
    const world = new World({ stories: [{ checks }], agent: (hand) => hand.tick() });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.event('story.passed')[0]?.verified).toBe(true);
  });

  it('is rejected by the first red gate: nothing else is run, and the next agent hears gate, output and ref', async () => {
    const world = new World({
      stories: [{ checks }],
      options: { maxIterations: 2 },
      gates: ['lint', 'test', 'types'],
      agent: good,
      check: ({ name }) => (name === 'test' ? { red: 'E42 no' } : 'green'),
    });
    await world.run();
    expect(world.checks).toEqual(['lint', 'test', 'lint', 'test']);
    expect(world.tree.size).toBe(0);
    expect(world.commits).toEqual([]);
    expect(world.event('story.rejected').map(({ attempts }) => attempts)).toEqual([1, 2]);
    expect(world.event('rescue.saved').map(({ ref }) => ref)).toEqual(['refs/ralph/run-1/1', 'refs/ralph/run-1/2']);
    expect(world.prompts[0]?.feedback).toBeUndefined();
    expect(world.prompts[1]?.feedback).toEqual({
      verdict: 'rejected',
      reason: 'the gate test failed with exit code 1 (run test)',
      gate: { name: 'test', tail: 'E42 no' },
      ref: 'refs/ralph/run-1/1',
      remarks: [],
    });
    expect(world.entries[0]?.lines).toEqual([
      'verdict of ralph: rejected',
      'US-001: rejected, the gate test failed with exit code 1 (run test)',
      'gates: lint green, test red',
      'the work is kept under refs/ralph/run-1/1: git diff refs/ralph/run-1/1^1 refs/ralph/run-1/1',
    ]);
  });

  it('is rejected by a check that times out, and by what must not get into git before any gate is run', async () => {
    const slow = new World({
      stories: [{ checks }],
      options: once,
      agent: good,
      check: ({ kind }) => (kind === 'check' ? 'timeout' : 'green'),
    });
    await slow.run();
    expect(slow.event('story.rejected')[0]?.reason).toBe('the check US-001-1 timed out after 60 s (make sure)');
    const secret = new World({
      options: once,
      agent: good,
      violations: () => ['.env looks like a secret: add it to .gitignore.'],
    });
    await secret.run();
    expect(secret.event('story.rejected')[0]?.reason).toBe('.env looks like a secret: add it to .gitignore.');
    expect(secret.checks).toEqual([]);
  });

  it('is rejected by a red check of a story that passed before, which is named; not with --regressions off', async () => {
    const stories = [{ passes: true, checks: ['old'] }, { checks }];
    const check = ({ command }: { command: string }): 'red' | 'green' => (command === 'old' ? 'red' : 'green');
    const world = new World({ stories, options: once, agent: good, check });
    await world.run();
    expect(world.checks).toEqual(['test', 'US-002-1', 'US-001-1']);
    expect(world.event('story.rejected')).toMatchObject([{ story: 'US-002' }]);
    expect(world.event('story.rejected')[0]?.reason).toMatch(
      /^it breaks US-001 \(Story 1\), which had passed: the check US-001-1 failed/,
    );
    const off = new World({ stories, options: { ...once, regressions: 'off' }, agent: good, check });
    expect(await off.run()).toEqual({ reason: 'complete' });
    expect(off.checks).toEqual(['test', 'US-002-1']);
  });

  it('of several stories is judged at once: what passed is committed, the others lose the tick and an attempt', async () => {
    const world = new World({
      stories: [{}, { checks }, {}],
      options: { ...once, maxAttempts: 1 },
      agent: (hand) => ['US-001', 'US-002', 'US-003'].forEach((id) => hand.work(id)),
      check: ({ kind }) => (kind === 'check' ? { red: 'no' } : 'green'),
    });
    expect(await world.run()).toEqual({ reason: 'blocked' });
    expect(world.passes()).toEqual([true, false, true]);
    expect(world.event('claim.made')[0]?.stories).toEqual(['US-001', 'US-002', 'US-003']);
    expect(world.event('story.rejected')).toMatchObject([{ story: 'US-002', attempts: 1 }]);
    expect(world.event('story.blocked')).toMatchObject([{ story: 'US-002' }]);
    expect(world.story('US-002').blocked).toMatch(/US-002-1/);
    expect(world.commits.map(({ files }) => files)).toEqual([['src/US-001', 'src/US-002', 'src/US-003']]);
    expect(world.steps).not.toContain('roll back');
    expect(world.verdicts()).toEqual(['passed']);
  });

  it('of another story than the selected one is accepted, and names the commit', async () => {
    const world = new World({ stories: [{}, {}], options: once, agent: (hand) => hand.work('US-002') });
    await world.run();
    expect(world.commits[0]?.subject).toBe('feat: [US-002] - Story 2');
    expect(world.event('iteration.finished')).toMatchObject([{ story: 'US-001', verdict: 'passed' }]);
    expect(world.story()).toMatchObject({ passes: false, attempts: 0 });
  });

  it('of another story that is rejected leaves the selected one an attempt for its own change', async () => {
    const world = new World({
      stories: [{}, {}],
      options: once,
      agent: (hand) => hand.work('US-002'),
      check: () => 'red',
    });
    await world.run();
    expect(world.verdicts()).toEqual(['rejected']);
    expect([world.story('US-001').attempts, world.story('US-002').attempts]).toEqual([1, 1]);
    expect(world.event('story.unfinished')).toMatchObject([{ story: 'US-001', attempts: 1 }]);
  });

  it('without any gate or check is claimed, not verified', async () => {
    const world = new World({ gates: [], agent: good });
    await world.run();
    expect(world.event('story.passed')[0]?.verified).toBe(false);
    expect(world.commits[0]?.trailers['Ralph-Gates']).toBe('none (claimed, not verified)');
    expect(JSON.parse(world.prdText).userStories[0].ralph.verified).toBeUndefined();
    expect([world.state.verified, world.state.unverified]).toEqual([0, 1]);
  });

  it('keeps the notes that the agent left, on accepted and on other stories', async () => {
    const world = new World({
      stories: [{}, {}],
      options: once,
      agent: (hand) => (hand.work(), hand.note('US-001', 'look at it'), hand.note('US-002', 'hard')),
    });
    await world.run();
    expect([world.story('US-001').notes, world.story('US-002').notes]).toEqual(['look at it', 'hard']);
  });
});

describe('a story with checks that was not ticked', () => {
  it('passes after a change when checks and gates are green', async () => {
    const world = new World({ stories: [{ checks }], agent: (hand) => hand.write('a.txt') });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.event('claim.made')).toEqual([]);
  });

  it('is not even checked without a change, without checks, with --trust, or when the agent says it is blocked', async () => {
    const talk = new World({ stories: [{ checks }], options: once });
    await talk.run();
    const bare = new World({ options: once, agent: (hand) => hand.write('a.txt') });
    await bare.run();
    const trusting = new World({
      stories: [{ checks }],
      options: { ...once, trust: true },
      agent: (hand) => hand.write('a.txt'),
    });
    await trusting.run();
    const blocked = new World({
      stories: [{ checks }],
      options: once,
      agent: (hand) => (hand.write('a.txt'), blockedBy('no key')),
    });
    await blocked.run();
    for (const world of [talk, bare, trusting, blocked]) {
      expect(world.checks).toEqual([]);
      expect(world.passes()).toEqual([false]);
    }
  });

  it('is unfinished when a check is red: an attempt, told with the output', async () => {
    const world = new World({
      stories: [{ checks }],
      options: { maxIterations: 2 },
      agent: (hand) => hand.write('a.txt'),
      check: ({ kind }) => (kind === 'check' ? { red: 'not yet' } : 'green'),
    });
    await world.run();
    expect(world.verdicts()).toEqual(['unfinished', 'unfinished']);
    expect(world.event('story.rejected')).toEqual([]);
    expect(world.story().attempts).toBe(2);
    expect(world.prompts[1]?.feedback?.gate).toEqual({ name: 'US-001-1', tail: 'not yet' });
  });
});

describe('with --allow-red', () => {
  it('a gate that was red before any work binds from its first green on', async () => {
    const colours = ['red', 'green', 'red'] as const;
    let run = 0;
    const world = new World({
      stories: [{}, {}, {}],
      options: { allowRed: true, maxIterations: 3 },
      gates: ['docs', 'test'],
      agent: good,
      check: ({ name }) => (name === 'docs' ? (colours[run++] ?? 'green') : 'green'),
    });
    world.state.unboundGates.add('docs');
    await world.run();
    expect(world.verdicts()).toEqual(['passed', 'passed', 'rejected']);
    expect(world.commits[0]?.trailers['Ralph-Gates']).toBe('docs (red before, too), test');
    expect(world.state.unboundGates.size).toBe(0);
  });

  it('a story with nothing but a gate that never got green is not verified', async () => {
    const world = new World({ options: { allowRed: true }, agent: good, check: () => 'red' });
    world.state.unboundGates.add('test');
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.event('story.passed')[0]?.verified).toBe(false);
  });
});
