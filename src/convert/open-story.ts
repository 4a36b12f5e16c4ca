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
      if (!/[:：]$/.test(line)) open.criteria.push(toCriterion(line, block));
      else open.criteria.push({ text: line, checks: [] });
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

/** Ids; words that are none stay in the description, so that nothing is lost. */
function takeDependencies(open: OpenStory, line: string): void {
  if (/^(?:none|nothing|no|n\/a|-+|–|—|keine?|ninguna?|aucune?|nessuna?|нет|无|なし)\W*$/iu.test(line)) return;
  const ids = line.match(/\b(?:story|task|us)\s*#?\d+[\w.]*|\b[A-Z][A-Z0-9]*[-_]\d+[a-z]?\b|#\d+/gi) ?? [];
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

/** "For admins:" in front of a list belongs to each of its items. */
function leadIn(open: OpenStory, criteria: Criterion[]): Criterion[] {
  const last = open.criteria.at(-1);
  if (last === undefined || criteria.length === 0 || last.text.includes('\n') || !/[:：]$/.test(last.text))
    return criteria;
  open.criteria.pop();
  return criteria.map((criterion) => ({ ...criterion, text: `${last.text} ${criterion.text}` }));
}
