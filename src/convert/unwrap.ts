import { linesOf, parseMarkdown } from './markdown.ts';
import type { Root, RootContent } from './markdown.ts';
import type { Passage } from './types.ts';

export interface SourceDocument {
  /** With the lines of the file: what was taken away is empty. */
  readonly text: string;
  readonly blocks: readonly RootContent[];
  /** Lines `key: value` in front of the document, keys in lower case. */
  readonly frontMatter: ReadonlyMap<string, string>;
  /** Its last line; 0 where there is none. */
  readonly frontEnd: number;
  /** Lines in front of and behind a fence around the whole: what a model says about the document. */
  readonly around: readonly Passage[];
}

/**
 * The blocks of a document without what people and programs put around it: front matter, a code fence or a tag around the
 * whole, a quote. Line numbers stay those of the file.
 */
export function openDocument(file: string): SourceDocument {
  const plain = file
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD');
  const { text: body, frontMatter, frontEnd } = takeFrontMatter(plain);
  const { text, root, around } = openFence(openTags(body));
  return { text, blocks: openQuote(root), frontMatter, frontEnd, around };
}

function takeFrontMatter(text: string): { text: string; frontMatter: Map<string, string>; frontEnd: number } {
  const frontMatter = new Map<string, string>();
  const lines = text.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  const inside = lines.slice(1, end);
  const isFront = /^---\s*$/.test(lines[0] ?? '') && end !== -1 && inside.every(isYaml);
  if (!isFront || !inside.some((line) => /^[\w "'-]+:/.test(line))) return { text, frontMatter, frontEnd: 0 };
  for (const line of inside) {
    const [, key, value = ''] = /^([\w -]+?)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) frontMatter.set(key.toLowerCase(), value.replace(/^(["'])(.*)\1$/, '$2'));
  }
  const empty = Array.from({ length: end + 1 }, () => '');
  return { text: [...empty, ...lines.slice(end + 1)].join('\n'), frontMatter, frontEnd: end + 1 };
}

/** Text between two rules is no front matter. */
function isYaml(line: string): boolean {
  return /^\s*$|^[\w "'-]+:(?:\s|$)|^\s+\S|^-\s|^#/.test(line);
}

/** A tag alone on the first line and its end alone on the last: Markdown would take the whole for HTML. */
function openTags(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const [, name] = /^\s*<([A-Za-z][\w-]*)(?:\s[^>]*)?>\s*$/.exec(lines[first] ?? '') ?? [];
  if (name === undefined || (lines[last] ?? '').trim().toLowerCase() !== `</${name.toLowerCase()}>`) return text;
  return openTags(lines.with(first, '').with(last, '').join('\n'));
}

/** A fence around the whole, as models answer: taken away with its end, so that fences inside become fences again. */
function openFence(text: string): { text: string; root: Root; around: Passage[] } {
  const root = parseMarkdown(text);
  const blocks = root.children;
  const wrapper = blocks.find((block) => block.type === 'code' && isDocument(block.lang, block.value));
  if (wrapper === undefined || blocks.some((block) => block.type === 'heading' && before(block, wrapper)))
    return { text, root, around: [] };
  const lines = text.split('\n');
  const { from } = linesOf(wrapper);
  const mark = /^\s*(`{3,}|~{3,})/.exec(lines[from - 1] ?? '')?.[1] ?? '```';
  const end = lines.findLastIndex((line, index) => index >= from && line.trim() === mark);
  // Fences inside come in pairs. Where the last one belongs to such a pair, that of the whole was never closed.
  const fences = lines.slice(from, end + 1).filter((line) => line.trimStart().startsWith(mark.slice(0, 3)));
  const last = fences.length % 2 === 1 ? end : lines.length;
  const inside = lines.map((line, index) => (index >= from && index < last ? line : '')).join('\n');
  const around = [passageOf(lines, 0, from - 1), passageOf(lines, last + 1, lines.length)].flat();
  return { text: inside, root: parseMarkdown(inside), around };
}

/** The lines that say something, of those from `start` to before `end`, as one passage; none where all are blank. */
function passageOf(lines: readonly string[], start: number, end: number): Passage[] {
  const said = lines.flatMap((line, index) => (index >= start && index < end && line.trim() !== '' ? [index] : []));
  const [first] = said;
  if (first === undefined) return [];
  return [{ from: first + 1, to: (said.at(-1) ?? first) + 1, words: (lines[first] ?? '').trim() }];
}

function isDocument(lang: string | null | undefined, value: string): boolean {
  if (/^(?:markdown|md|mdx)$/i.test(lang ?? '')) return /^#{1,3}\s+\S/m.test(value);
  return /^(?:text|txt)?$/i.test(lang ?? '') && /^#{1,2}\s+\S/m.test(value);
}

function before(one: RootContent, other: RootContent): boolean {
  return linesOf(one).from < linesOf(other).from;
}

function openQuote(root: Root): readonly RootContent[] {
  const blocks = root.children;
  const isTitled = blocks.some((block) => block.type === 'heading');
  return isTitled
    ? blocks
    : blocks.flatMap((block): RootContent[] =>
        block.type === 'blockquote' && block.children.some((child) => child.type === 'heading')
          ? block.children
          : [block],
      );
}
