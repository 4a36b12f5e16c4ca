/** What the checks between stories need of a story; a part of the wrong type is left out. */
export interface StoryLinks {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/**
 * The rings of stories that wait for each other, each as its ids in order, the first one again at the end. Every ring that a
 * story lies on is found by at least one of its edges.
 */
export function findCycles(stories: readonly StoryLinks[]): string[][] {
  const links = new Map(stories.map((story) => [story.id, story.dependsOn]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  for (const { id } of stories) walk(id, links, done, cycles);
  return cycles;
}

/** A depth-first walk with its own stack: a chain of thousands of stories must not overflow. */
function walk(
  from: string,
  links: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
  cycles: string[][],
): void {
  if (done.has(from)) return;
  const trail = [{ id: from, next: 0 }];
  const depth = new Map([[from, 0]]);
  for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
    const id = links.get(top.id)?.[top.next];
    top.next += 1;
    if (id === undefined) {
      done.add(top.id);
      depth.delete(top.id);
      trail.pop();
      continue;
    }
    const start = depth.get(id);
    if (start !== undefined) cycles.push([...trail.slice(start).map((step) => step.id), id]);
    else if (!done.has(id) && links.has(id)) {
      depth.set(id, trail.length);
      trail.push({ id, next: 0 });
    }
  }
}
