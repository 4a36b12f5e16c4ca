import { describe, expect, it } from 'vitest';
import { blockedBy, earlySentinel, good, limitUntil, START, World } from './fake-ports.ts';

const once = { maxIterations: 1 };
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

describe('blocked', () => {
  it('by the words of the agent: the selected story, at once, without an attempt', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: (hand) => (hand.call === 1 ? blockedBy(' no key ') : hand.work()),
    });
    expect(await world.run()).toEqual({ reason: 'blocked' });
    expect(world.verdicts()).toEqual(['blocked', 'passed']);
    expect(world.story()).toMatchObject({ blocked: 'no key', attempts: 0 });
    expect(world.event('story.blocked')).toEqual([
      { type: 'story.blocked', reason: 'no key', iteration: 1, story: 'US-001' },
    ]);
    expect(world.event('story.unfinished')).toEqual([]);
    expect([world.state.stalls, world.state.failures]).toEqual([0, 0]);
    expect(world.entries[0]?.lines).toContain('US-001: blocked, no key');
  });

  it('by a note that begins so, on any story; what it says is the reason', async () => {
    const world = new World({
      stories: [{}, {}, {}],
      options: once,
      agent: (hand) => (hand.note('US-001', 'BLOCKER - no key'), hand.note('US-003', 'BLOCKED')),
    });
    await world.run();
    expect(world.story('US-001')).toMatchObject({ blocked: 'no key', notes: 'BLOCKER - no key' });
    expect(world.story('US-003').blocked).toBe('the agent gave no reason');
    expect(world.verdicts()).toEqual(['blocked']);
    expect(world.event('story.blocked').map(({ story }) => story)).toEqual(['US-001', 'US-003']);
  });

  it('of another story by a note while the selected one passes: on record, too', async () => {
    const world = new World({
      stories: [{}, {}],
      agent: (hand) => (hand.work(), hand.note('US-002', 'BLOCKED: later')),
    });
    expect(await world.run()).toEqual({ reason: 'blocked' });
    expect(world.event('story.blocked')).toMatchObject([{ story: 'US-002', reason: 'later' }]);
    expect(JSON.parse(world.commits[0]?.prd ?? '').userStories[1].ralph.blocked).toBe('later');
  });

  it('is judged instead where the same story was ticked', async () => {
    const world = new World({
      agent: (hand) => (hand.work(), hand.note('US-001', 'BLOCKED: or not'), blockedBy('no key')),
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.event('story.blocked')).toEqual([]);
  });

  it('is no block where that tick is rejected: an attempt like any other', async () => {
    const world = new World({
      options: once,
      agent: (hand) => (hand.work(), hand.note('US-001', 'BLOCKED: or not'), blockedBy('no key')),
      check: () => 'red',
    });
    await world.run();
    expect(world.verdicts()).toEqual(['rejected']);
    expect(world.story()).toMatchObject({ attempts: 1, blocked: undefined });
  });

  it('at once, although a limit ended the agent: no other try, and the wait comes before the next iteration', async () => {
    const world = new World({
      stories: [{}, {}],
      options: { delayMs: 0 },
      agent: (hand) => {
        if (hand.call > 1) return hand.work();
        hand.note('US-001', 'BLOCKED: no key');
        return limitUntil(START + 60_000);
      },
    });
    await world.run();
    expect(world.story().blocked).toBe('no key');
    expect(world.requests.map(({ iteration, story }) => [iteration, story])).toEqual([
      [1, 'US-001'],
      [2, 'US-002'],
    ]);
    expect(world.event('agent.limit')).toHaveLength(1);
  });

  it('a story that the agent opened again in the same turn is open and blocked', async () => {
    const world = new World({
      stories: [{ passes: true }, {}],
      options: once,
      agent: (hand) => (hand.tick('US-001', false), hand.note('US-001', 'BLOCKED: broken')),
    });
    await world.run();
    expect(world.story('US-001')).toMatchObject({ passes: false, blocked: 'broken' });
  });
});

describe('a passed story that the agent opens again', () => {
  it('is open, on record, and its checks do not count against the others', async () => {
    const world = new World({
      stories: [{ passes: true, checks: ['old'] }, {}],
      options: once,
      agent: (hand) => (hand.tick('US-001', false), hand.work()),
      check: ({ command }) => (command === 'old' ? 'red' : 'green'),
    });
    await world.run();
    expect(world.passes()).toEqual([false, true]);
    expect(world.event('claim.withdrawn')).toMatchObject([{ by: 'agent', story: 'US-001' }]);
  });

  it('is open also where a limit cut the try off', async () => {
    const world = new World({
      stories: [{ passes: true }, {}],
      options: once,
      agent: (hand) => (hand.call === 1 ? (hand.tick('US-001', false), limitUntil(START + 1_000)) : undefined),
    });
    await world.run();
    expect(world.passes()).toEqual([false, false]);
  });
});

describe('what the agent did to the state files', () => {
  it('is put back, kept aside and told to the next agent, even if that one has another story', async () => {
    const world = new World({
      stories: [{}, {}],
      options: { maxIterations: 2 },
      remarks: ['The tree had been left on the branch x.'],
      agent: (hand) => {
        if (hand.call === 1) {
          world.setStory('US-002', { acceptanceCriteria: ['easier'] });
          world.logText = 'gone';
        }
        hand.work();
      },
    });
    await world.run();
    expect(world.passes()).toEqual([true, true]);
    expect(world.story('US-002').acceptanceCriteria).toEqual(['it works']);
    expect(world.logText).toContain('# Ralph Progress Log');
    expect(world.event('state.restored').map(({ file }) => file)).toEqual(['prd.json', 'progress.txt']);
    expect(world.keptFiles).toEqual(expect.arrayContaining(['1/prd.json', '1/progress.txt']));
    const told = world.prompts[1]?.feedback;
    expect(told?.verdict).toBeUndefined();
    expect(told?.remarks).toEqual([
      'The tree had been left on the branch x.',
      expect.stringMatching(/^prd\.json was put back: .*1\/prd\.json\)\. Only `passes`/),
      expect.stringMatching(/^progress\.txt was put back: .* Only append to it/),
    ]);
    expect(world.event('warning.raised').map(({ text }) => text)).toContain('The tree had been left on the branch x.');
  });

  it('a gate that changes files: they are put back, and the user is told', async () => {
    const world = new World({ agent: good, check: () => void world.tree.set('coverage', 'x') });
    await world.run();
    expect([...world.tree.keys()]).toEqual(['src/US-001']);
    expect(world.event('warning.raised')).toMatchObject([{ text: expect.stringMatching(/put back: coverage$/) }]);
  });
});

describe('a sentinel while stories are open', () => {
  it('is on record after the judging with what is open then, told once to the next agent, and ends nothing', async () => {
    const world = new World({
      stories: [{ passes: true }, {}, {}, {}],
      options: { maxIterations: 3 },
      agent: (hand) => (hand.work(), hand.call === 1 ? earlySentinel : {}),
    });
    await world.run();
    expect(world.event('claim.premature')).toMatchObject([{ open: ['US-003', 'US-004'], iteration: 1 }]);
    const names = world.events.map(({ type }) => type);
    expect(names.indexOf('claim.premature')).toBeGreaterThan(names.indexOf('story.passed'));
    expect(world.prompts[1]?.feedback?.remarks).toEqual([expect.stringContaining('US-003, US-004')]);
    expect(world.prompts[2]?.feedback).toBeUndefined();
  });

  it('is none when the last story passes with it, and claims nothing by itself', async () => {
    const done = new World({ agent: (hand) => (hand.work(), earlySentinel) });
    expect(await done.run()).toEqual({ reason: 'complete' });
    expect(done.event('claim.premature')).toEqual([]);
    const empty = new World({ options: once, agent: (hand) => (hand.write('a'), earlySentinel) });
    await empty.run();
    expect(empty.verdicts()).toEqual(['unfinished']);
  });
});

describe('a commit hook', () => {
  it('that refuses turns the acceptance into a rejection', async () => {
    const world = new World({
      options: { maxIterations: 2, maxAttempts: 9 },
      agent: good,
      commit: (_, { commits }) =>
        commits.length === 0 && world.requests.length === 1
          ? {
              kind: 'hook',
              result: {
                check: { name: 'pre-commit', kind: 'hook', command: 'git hook run pre-commit', timeoutMs: 1 },
                green: false,
                exit: 2,
                timedOut: false,
                interrupted: false,
                tail: 'no tabs',
                log: 'x.log',
              },
            }
          : undefined,
    });
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.verdicts()).toEqual(['rejected', 'passed']);
    expect(world.event('story.rejected')).toMatchObject([
      { reason: 'the commit hook pre-commit failed with exit code 2', attempts: 1 },
    ]);
    expect(world.prompts[1]?.feedback?.gate).toEqual({ name: 'pre-commit', tail: 'no tabs' });
    expect(world.steps.filter((step) => step === 'roll back')).toHaveLength(1);
    expect(world.logText).toContain('verdict of ralph: rejected');
    expect(world.logText.match(/verdict of ralph: passed/g)).toHaveLength(1);
  });

  it('git that refuses to commit leaves no tick behind, and the iteration has an end on record', async () => {
    const world = new World({
      agent: good,
      commit: () => {
        throw new Error('disk full');
      },
    });
    await expect(world.run()).rejects.toThrow('disk full');
    expect(world.passes()).toEqual([false]);
    expect(world.logText).not.toContain('verdict of ralph: passed');
    expect([...world.tree.keys()]).toEqual(['src/US-001']);
    expect(world.verdicts()).toEqual(['interrupted']);
  });
});

describe('--push', () => {
  it('pushes after each accepted story; a refusal is a warning and tried again after the next', async () => {
    const world = new World({ stories: [{}, {}], options: { push: true }, agent: good });
    world.pushWarning = 'the remote refuses';
    expect(await world.run()).toEqual({ reason: 'complete' });
    expect(world.steps.filter((step) => step === 'push')).toHaveLength(2);
    expect(world.event('warning.raised')).toMatchObject([
      { text: 'the remote refuses', place: '--push' },
      { place: '--push' },
    ]);
  });
});

const noWriting = { phase: undefined, without: undefined, written: undefined, inFile: undefined };

describe('what ralph writes into the state files', () => {
  it('is announced before, with what it is without a verdict', async () => {
    const world = new World({
      agent: (hand) => {
        hand.work();
        hand.note('US-001', 'a note');
      },
    });
    await world.run();
    const [{ phase, without, written, inFile } = noWriting] = world.writings;
    const story = (text: string | undefined): unknown => JSON.parse(text ?? '').userStories[0];
    expect(phase).toBe('working');
    expect(story(inFile?.prd)).not.toHaveProperty('ralph');
    expect(story(without?.prd)).toMatchObject({ passes: false, notes: 'a note' });
    expect(written).toEqual({ prd: world.prdText, log: world.logText });
    expect(written?.log.startsWith(without?.log ?? '-')).toBe(true);
    expect(written?.log).not.toBe(without?.log);
  });

  it('stands whatever happens then, where nothing was accepted and the work is dealt with', async () => {
    const world = new World({ agent: good, check: () => 'red', options: once });
    await world.run();
    const [{ phase, written, inFile } = noWriting, ...more] = world.writings;
    expect(more).toEqual([]);
    expect(phase).toBe('settled');
    expect(world.event('story.rejected')).toHaveLength(1);
    expect(JSON.parse(inFile?.prd ?? '').userStories[0]).toMatchObject({ passes: true });
    expect(JSON.parse(written?.prd ?? '').userStories[0]).toMatchObject({ passes: false, ralph: { attempts: 1 } });
  });
});
