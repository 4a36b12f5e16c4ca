import { findCommands } from './find-commands.ts';
import { toLine } from './inline-text.ts';
import { findStoryLabel } from './labels.ts';
import type { StoryLabel } from './labels.ts';
import { linesOf } from './markdown.ts';
import type { Table } from './markdown.ts';
import { cellsOf } from './read-criteria.ts';
import { idOf, isStorySentence, readStoryTitle, titleFrom } from './story-title.ts';
import type { StoryDraft } from './types.ts';

/** A sentence "As a …, I want …, so that …" may have a column for each of its parts. */
type Part = 'role' | 'want' | 'benefit';
type Column = StoryLabel | Part | undefined;

/** The stories of a table, one a row; undefined where it is no table of stories. */
export function readStoryTable(table: Table, inStories: boolean): StoryDraft[] | undefined {
  const [header = [], ...rows] = cellsOf(table);
  const columns = header.map(columnOf);
  const has = (label: Column): boolean => columns.includes(label);
  if (!(has('title') || has('description') || has('want')) || !(inStories || (has('id') && has('criteria'))))
    return undefined;
  return rows.flatMap((row, index) => {
    const node = table.children[index + 1];
    const isEmpty = row.every((cell) => cell === '');
    return isEmpty || node === undefined ? [] : [readRow(row, header, columns, linesOf(node).from)];
  });
}

const parts: readonly (readonly [Part, RegExp])[] = [
  ['role', /^(?:as an?|role|actor|persona|als|rolle|como|rol|en tant que|作为|役割)$/i],
  [
    'want',
    /^(?:i (?:want|need|would like)(?: to)?|want|(?:möchte|will) ich|ich (?:möchte|will)|quiero|je veux|我想要?)$/i,
  ],
  ['benefit', /^(?:so(?: that)?|so i can|in order to|benefit|damit|nutzen|para(?: que)?|afin (?:de|que)|以便)$/i],
];

function columnOf(name: string): Column {
  const part = parts.find(([, pattern]) => pattern.test(name.replace(/^[\s.…*_]+|[\s.…,:*_]+$/g, '')))?.[0];
  if (part !== undefined) return part;
  if (/^(?:#|no\.?|nr\.?|key|us|ref)$/i.test(name.trim())) return 'id';
  if (/^(?:feature|task|story title|summary|aufgabe|titel)$/i.test(name.trim())) return 'title';
  return findStoryLabel(name);
}

function readRow(
  row: readonly string[],
  header: readonly string[],
  columns: readonly Column[],
  line: number,
): StoryDraft {
  const cell = (label: StoryLabel | Part): string => row[columns.indexOf(label)] ?? '';
  const read = readStoryTitle(toLine(cell('id')));
  const named = readStoryTitle(toLine(cell('title')));
  const number = /^\d+$/.test(cell('id').trim()) ? idOf(cell('id').trim()) : undefined;
  const others = row.flatMap((text, index) =>
    columns[index] === undefined && text !== '' ? [`${header[index] ?? ''}: ${toLine(text)}`] : [],
  );
  const want = toLine(cell('want'));
  const sentence = isStorySentence(named.title) ? named.title : '';
  const told = sentenceOf(toLine(cell('role')), want, toLine(cell('benefit')));
  const description = [sentence, told, toLine(cell('description')), ...others].filter((part) => part !== '').join('\n');
  const plainId = cell('id').trim();
  const id = read.id ?? number ?? named.id ?? (plainId === '' ? undefined : plainId);
  const isNamed = sentence === '' && named.title !== '';
  const title = isNamed ? named.title : titleFrom(want === '' ? description : want);
  const criteria = splitCell(cell('criteria')).map((text) => ({ text, checks: commandsIn(text) }));
  const checks = splitCell(cell('checks')).map((text) => text.replace(/^`(.*)`$/, '$1'));
  return {
    id,
    title: title === '' ? (id ?? 'Story') : title,
    description,
    criteria,
    dependsOn: (cell('depends').match(/\b[A-Z][A-Z0-9]*-\d+[a-z]?\b|\b\d+\b/gi) ?? []).map(
      (other) => readStoryTitle(other).id ?? idOf(other),
    ),
    checks: [...new Set([...checks, ...criteria.flatMap((criterion) => criterion.checks)])],
    priority: cell('priority') === '' ? named.priority : toLine(cell('priority')),
    line,
    remarks:
      cell('status') === ''
        ? []
        : [`"Status: ${toLine(cell('status'))}" is not taken over: only what ralph has checked is passed`],
  };
}

function sentenceOf(role: string, want: string, benefit: string): string {
  const told = [
    ...(role === '' ? [] : [`As ${/^(?:an?|the)\s/i.test(role) ? '' : 'a '}${role}`]),
    ...(want === '' ? [] : [`I want ${want}`]),
    ...(benefit === '' ? [] : [`so that ${benefit}`]),
  ];
  return told.join(', ');
}

function commandsIn(text: string): string[] {
  return findCommands(
    text,
    [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
  );
}

/** A cell holds one criterion a line, or several with semicolons or bullets between them. */
function splitCell(text: string): string[] {
  return text
    .split(/\n|;\s+|\s*•\s*|(?:^|\s)(?:-|\d+[.)])\s+(?=\p{Lu})/u)
    .map((part) => toLine(part).replace(/^(?:[-*•]|\[[ xX]?\]|\d+[.)])\s*/, ''))
    .filter((part) => part !== '');
}
