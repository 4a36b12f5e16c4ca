import { describe, expect, it } from 'vitest';
import { good } from './fake-agents.ts';
import { once, World } from './fake-ports.ts';

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
