import { findBranchProblem } from '../prd/branch-name.ts';
import { provesTypes } from '../prd/lint/proofs.ts';
import { idOf } from './story-title.ts';
import type { ReadDocument, StoryDraft } from './types.ts';

/** A story as it is written into prd.json, keys in their order. */
export interface WrittenStory {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly acceptanceCriteria: readonly string[];
  readonly checks?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly priority: number;
  readonly passes: false;
  readonly notes: '';
}

export interface WrittenPrd {
  readonly project: string;
  readonly branchName: string;
  readonly description: string;
  readonly userStories: readonly WrittenStory[];
}

export interface Origin {
  /** Name of the document's file, without its folder. */
  readonly file: string;
  /** The project's name, where the document says none. */
  readonly project: string;
}

export interface MadePrd {
  readonly prd: WrittenPrd;
  /** What was decided on the way, one sentence each. */
  readonly remarks: readonly string[];
}

const TYPECHECK = 'Typecheck passes';

/** The PRD that a document describes: order becomes priority, each story gets an id and a typecheck criterion. */
export function makePrd(read: ReadDocument, origin: Origin): MadePrd {
  const remarks: string[] = [];
  const ids = giveIds(read.stories, remarks);
  const priorities = givePriorities(read.stories, ids, remarks);
  const untyped: string[] = [];
  const userStories = read.stories.map((draft, index): WrittenStory => {
    const id = ids[index] ?? idOf(index + 1);
    remarks.push(...draft.remarks.map((remark) => `${id}: ${remark}`));
    const { known, lost } = resolve(draft, index, read.stories, ids);
    if (lost.length > 0)
      remarks.push(`${id}: depends on ${lost.join(', ')}, which the document does not have; kept in its description`);
    const criteria = draft.criteria.map(({ text }) => text);
    if (!criteria.some(provesTypes)) untyped.push(id);
    return {
      id,
      title: draft.title,
      description: [draft.description, ...lost.map((other) => `Depends on: ${other}`)]
        .filter((part) => part !== '')
        .join('\n'),
      acceptanceCriteria: criteria.some(provesTypes) ? criteria : [...criteria, TYPECHECK],
      ...(draft.checks.length === 0 ? {} : { checks: draft.checks }),
      ...(known.length === 0 ? {} : { dependsOn: known }),
      priority: priorities[index] ?? index + 1,
      passes: false,
      notes: '',
    };
  });
  if (untyped.length > 0)
    remarks.push(
      `the criterion "${TYPECHECK}" was added to ${untyped.join(', ')}: take it out where there are no types`,
    );
  if (read.features.length > 1) {
    remarks.push(
      `the document is about ${read.features.length} features (${read.features.join(', ')}): all their stories are on one branch now; one document for each keeps them apart`,
    );
  }
  const branchName = chooseBranch(read, origin, remarks);
  return {
    prd: { project: read.project ?? origin.project, branchName, description: describe(read, origin), userStories },
    remarks,
  };
}

/** Ids as written; a missing one, and one that is there already, becomes the next that is free. */
function giveIds(drafts: readonly StoryDraft[], remarks: string[]): string[] {
  const written = new Set(drafts.flatMap(({ id }) => id ?? []));
  const taken = new Set<string>();
  let number = 0;
  const next = (): string => {
    do number += 1;
    while (taken.has(idOf(number)) || written.has(idOf(number)));
    return idOf(number);
  };
  return drafts.map(({ id, title, line }) => {
    const own = id !== undefined && !taken.has(id) ? id : next();
    if (id !== undefined && own !== id)
      remarks.push(`${own}: was a second ${id} in the document (line ${line}, "${title}")`);
    taken.add(own);
    return own;
  });
}

/** Numbers that the document gives to all stories count, if they are different; else its order does. */
function givePriorities(drafts: readonly StoryDraft[], ids: readonly string[], remarks: string[]): number[] {
  const numbers = drafts.map(({ priority = '' }) => (/^\d+$/.test(priority.trim()) ? Number(priority) : undefined));
  const given = numbers.filter((number) => number !== undefined);
  if (given.length === drafts.length && new Set(given).size === given.length) return given;
  const words = drafts.flatMap(({ priority }, index) => (priority === undefined ? [] : [`${ids[index]} ${priority}`]));
  if (words.length > 0) {
    remarks.push(
      `the priorities in the document (${words.join(', ')}) are not taken over: its order is the order of the work`,
    );
  }
  return drafts.map((_, index) => index + 1);
}

/** The ids that a story depends on, as they are now. */
function resolve(
  draft: StoryDraft,
  index: number,
  drafts: readonly StoryDraft[],
  ids: readonly string[],
): { known: string[]; lost: string[] } {
  const known: string[] = [];
  const lost: string[] = [];
  for (const id of draft.dependsOn) {
    const same = drafts
      .map((other, at) => ({ at, key: keyOf(other.id ?? ids[at] ?? '') }))
      .filter(({ key }) => key === keyOf(id));
    // Of several stories of one id the nearest one above is meant.
    const found = same.findLast(({ at }) => at < index) ?? same.find(({ at }) => at !== index);
    const name = found === undefined ? undefined : ids[found.at];
    if (name === undefined) lost.push(id);
    else if (!known.includes(name)) known.push(name);
  }
  return { known, lost };
}

function keyOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '')
    .replace(/(^|\D)0+(?=\d)/g, '$1');
}

function describe({ title, introduction, nonGoals }: ReadDocument, { file }: Origin): string {
  const first = introduction === '' ? (title ?? file) : introduction;
  if (nonGoals.length === 0) return first;
  const list = nonGoals.map((item) => item.replace(/[.;]+$/, '')).join('; ');
  return `${/[.!?。！？]$/.test(first) ? first : `${first}.`} Not in scope: ${list}.`;
}

/** What the document says, else what its file is called, else its title. */
function chooseBranch({ branch, title, features }: ReadDocument, { file }: Origin, remarks: string[]): string {
  const problem = branch === undefined || branch === '' ? undefined : findBranchProblem(branch);
  if (branch !== undefined && branch !== '' && problem === undefined) return branch;
  if (problem !== undefined) remarks.push(`the branch name of the document can't be used: ${problem}`);
  const slugs = [slugOfFile(file), branchSlug(title ?? ''), ...features.map(branchSlug)];
  return `ralph/${slugs.find((slug) => slug !== '') ?? 'feature'}`;
}

const generic =
  /^(?:prd|readme|spec|specification|document|requirements?|plan|untitled|notes?|index|draft|feature|features|output|input|doc|docs|todo|tasks?|stories|user-stories|product-requirements(?:-document)?|\d+)?$/;

function slugOfFile(file: string): string {
  const name = branchSlug(file.replace(/\.[^.]*$/, ''))
    .replace(/^\d+-(?=prd)/, '')
    .replace(/^prd-|-prd$/g, '');
  return generic.test(name) ? '' : name;
}

/** A text as a part of a branch name: lower case, letters and digits of any language, hyphens, at most 60 characters. */
export function branchSlug(text: string): string {
  const slug = text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const letters = Array.from(slug);
  if (letters.length <= 60) return slug;
  return letters
    .slice(0, 60)
    .join('')
    .replace(/-[^-]*$/, '');
}
