/** `ralph archive list` for people: facts → text, pure. */
import { cleanLine } from './clean-text.ts';
import { layOutTable } from './table.ts';

export interface ArchiveFacts {
  readonly name: string;
  readonly date: string | undefined;
  readonly branch: string | undefined;
  readonly stories: { readonly passed: number; readonly all: number } | undefined;
}

/** One line per archive, newest last, in the order in which they come. */
export function renderArchives(archives: readonly ArchiveFacts[], folder: string, columns: number): string {
  if (archives.length === 0) return `Nothing is archived yet: no archive in ${cleanLine(folder)}/.\n`;
  const column = (head: string, cellOf: (archive: ArchiveFacts) => string) =>
    ({ head, align: 'start', cells: archives.map((archive) => cleanLine(cellOf(archive))) }) as const;
  const lines = layOutTable(
    [
      column('Name', ({ name }) => name),
      column('Date', ({ date }) => date ?? '-'),
      column('Branch', ({ branch }) => branch ?? '-'),
      column('Passed', ({ stories }) => (stories === undefined ? 'no PRD' : `${stories.passed}/${stories.all}`)),
    ],
    // A name that is cut can't be restored.
    Math.max(columns, ...archives.map(({ name }) => name.length + 60)),
  );
  return lines.map((line) => `${line}\n`).join('');
}
