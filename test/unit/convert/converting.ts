import { makePrd } from '../../../src/convert/make-prd.ts';
import type { WrittenPrd } from '../../../src/convert/make-prd.ts';
import { readDocument } from '../../../src/convert/read-document.ts';
import type { ReadDocument } from '../../../src/convert/types.ts';

export interface Converted {
  read: ReadDocument;
  prd: WrittenPrd;
  remarks: readonly string[];
  /** Lines of the document that are nowhere: neither in the result nor in what was said about it. */
  lost: string[];
}

export function convert(document: string, file = 'prd-due-dates.md'): Converted {
  const read = readDocument(document);
  const { prd, remarks } = makePrd(read, { file, project: 'folder' });
  return { read, prd, remarks, lost: findLost(document, read, [JSON.stringify(prd), ...remarks].join('\n')) };
}

/** Words that only give a document its shape. */
const shape =
  /^(?:(?:product )?(?:user )?stories|acceptance criteria|acceptance scenarios|description|depends on|checks|user story|kriterien|akzeptanzkriterien|beschreibung|none|id title|benutzergeschichten|prd|markdown|project|branch|title|critères dacceptation|récits utilisateur|用户故事|描述|验收标准|abhängig von|tasks|details|summary|none)*$/;

function findLost(document: string, { kept, unplaced }: ReadDocument, result: string): string[] {
  const all = simplify(result.replaceAll('\\n', ' '));
  return document.split(/\r\n|\n|\r/).filter((line, index) => {
    const isNoted = [...kept, ...unplaced].some(({ from, to }) => from <= index + 1 && index + 1 <= to);
    if (isNoted || line.trim() === '') return false;
    const parts = line
      .replace(
        /^\s*(?:[-*+>]\s*)*(?:\[[ xX]\]\s*)?(?:\d+[.)]\s+)?(?:#+\s+)?(?:\d+(?:\.\d+)*[.)]?\s+(?=\S))?(?:User Story \d+ - )?/,
        '',
      )
      .split(/\s*\|\s*|<br>|:\*\*|\*\*:|\]\(|\)$|:\s|：|\s\(|\s-\s/);
    return parts.map(simplify).some((part) => part !== '' && !shape.test(part) && !all.includes(part));
  });
}

function simplify(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]*>|['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Stories as `id title` with their criteria. */
export function stories({ prd }: Converted): Record<string, readonly string[]> {
  return Object.fromEntries(prd.userStories.map((story) => [`${story.id} ${story.title}`, story.acceptanceCriteria]));
}
