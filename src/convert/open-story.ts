import { codeSpans } from './inline-text.ts';
import { isCommand } from './find-commands.ts';
import type { StoryLabel } from './labels.ts';
import type { List, RootContent } from './markdown.ts';
import { criteriaOf, toCriterion } from './read-criteria.ts';
import { idOf, readStoryTitle } from './story-title.ts';
import type { Criterion } from './types.ts';

/** A story while it is read. */
export interface OpenStory {
  readonly text: string;
  readonly description: string[];
  readonly criteria: Criterion[];
  readonly dependsOn: string[];
  readonly checks: string[];
  readonly remarks: string[];
  /** Lists under no label: criteria, unless there are labelled ones. */
  readonly lists: { readonly list: List; readonly at: number }[];
  id: string | undefined;
  title: string;
  priority: string | undefined;
  label: StoryLabel | undefined;
  hasCriteria: boolean;
  /** A line "For admins:" in front of a list: it belongs to each of its items. */
  leadIn: Criterion | undefined;
  boxes: { ticked: number; all: number };
}

/** A line of text under the label that holds. */
export function takeText(open: OpenStory, line: string, block: RootContent): void {
  switch (open.label) {
    case 'id': {
      const id = readStoryTitle(line).id ?? (/^\d+$/.test(line) ? idOf(line) : line);
      if (open.id !== undefined && open.id !== id) open.description.push(`ID: ${line}`);
      open.id ??= id;
      return;
    }
    case 'title':
      if (open.title !== '' && open.title !== line) open.description.push(open.title);
      open.title = line;
      return;
    case 'criteria':
      open.leadIn = /[:：]$/.test(line) ? { text: line, checks: [] } : undefined;
      open.criteria.push(open.leadIn ?? toCriterion(line, block));
      return;
    case 'depends':
      return takeDependencies(open, line);
    case 'checks':
      return takeChecks(open, line, block);
    case 'priority':
      if (open.priority !== undefined && open.priority !== line) open.description.push(`Priority: ${line}`);
      open.priority ??= line;
      return;
    case 'status':
      open.remarks.push(`"Status: ${line}" is not taken over: only what ralph has checked is passed`);
      return;
    case 'description':
    case undefined:
      addText(open, line, block);
  }
}

export function addText(open: OpenStory, text: string, block: RootContent): void {
  if (open.label === 'criteria') {
    open.hasCriteria = true;
    open.criteria.push(toCriterion(text, block));
  } else open.description.push(text);
}

const dependency =
  /(?<![\p{L}\p{N}])(?:(?:story|task|us|geschichte|nutzergeschichte|historia|histoire|récit|história|история|задача|故事|ストーリー)\s*#?[A-Z]?\d+[\w.]*|[A-Z][A-Z0-9]*[-_]\d+[a-z]?\b|T\d{3,}\b)|#\d+/giu;

/** Ids; words that are none stay in the description, so that nothing is lost. */
/** Does a text name other stories? */
export function namesStories(text: string): boolean {
  return text.search(dependency) !== -1;
}

export function takeDependencies(open: OpenStory, line: string): void {
  if (/^(?:none|nothing|no|n\/a|-+|–|—|keine?|ninguna?|aucune?|nessuna?|нет|无|なし)\W*$/iu.test(line)) return;
  const ids = line.match(dependency) ?? [];
  open.dependsOn.push(...ids.map((id) => readStoryTitle(id.replace('#', ' ')).id ?? idOf(id.replace(/\D/g, ''))));
  const rest = ids.reduce((text, id) => text.replace(id, ''), line).replace(/\b(?:and|und|et|y)\b/gi, '');
  if (/[\p{L}\p{N}–—]/u.test(rest)) open.description.push(`Depends on: ${line}`);
}

function takeChecks(open: OpenStory, line: string, block: RootContent): void {
  if (/^(?:none|n\/a|-+|keine?)\W*$/i.test(line)) return;
  const spans = codeSpans(block).filter((code) => line.includes(code));
  const isPure = line.replace(/`+[^`]*`+/g, '').replace(/\b(?:and|und)\b|[\s,;.]/g, '') === '';
  if (spans.length > 0 && isPure) open.checks.push(...spans);
  else if (spans.length === 0 && isCommand(line)) open.checks.push(line);
  else open.criteria.push(toCriterion(line, block));
}

export function takeCriteria(open: OpenStory, list: List): void {
  open.criteria.push(...leadIn(open, criteriaOf(list, open.text)));
  for (const { checked } of list.children) {
    if (typeof checked !== 'boolean') continue;
    open.boxes.all += 1;
    if (checked) open.boxes.ticked += 1;
  }
}

function leadIn(open: OpenStory, criteria: Criterion[]): Criterion[] {
  const { leadIn: last } = open;
  if (last === undefined || criteria.length === 0 || last !== open.criteria.at(-1)) return criteria;
  open.criteria.pop();
  return criteria.map((criterion) => ({ ...criterion, text: `${last.text} ${criterion.text}` }));
}
