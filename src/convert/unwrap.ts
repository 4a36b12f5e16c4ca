import { linesOf, parseMarkdown } from './markdown.ts';
import type { Root, RootContent } from './markdown.ts';

export interface SourceDocument {
  /** With the lines of the file: what was taken away is empty. */
  readonly text: string;
  readonly blocks: readonly RootContent[];
  /** Lines `key: value` in front of the document, keys in lower case. */
  readonly frontMatter: ReadonlyMap<string, string>;
  /** Its last line; 0 where there is none. */
  readonly frontEnd: number;
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
  const { text, root } = openFence(openTags(body));
  return { text, blocks: openQuote(root), frontMatter, frontEnd };
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
function openFence(text: string): { text: string; root: Root } {
  const root = parseMarkdown(text);
  const blocks = root.children;
  const wrapper = blocks.find((block) => block.type === 'code' && isDocument(block.lang, block.value));
  if (wrapper === undefined || blocks.some((block) => block.type === 'heading' && before(block, wrapper)))
    return { text, root };
  const lines = text.split('\n');
  const { from } = linesOf(wrapper);
  const mark = /^\s*(`{3,}|~{3,})/.exec(lines[from - 1] ?? '')?.[1] ?? '```';
  const end = lines.findLastIndex((line, index) => index >= from && line.trim() === mark);
  const opened = lines.with(from - 1, '');
  const inside = (end === -1 ? opened : opened.with(end, '')).join('\n');
  return { text: inside, root: parseMarkdown(inside) };
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
