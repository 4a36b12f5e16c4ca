import type { Nodes, PhrasingContent } from './markdown.ts';

/** Stand around bold text while labels are looked for; no document holds them. */
export const boldStart = '\uE000';
export const boldEnd = '\uE001';

/** Inline Markdown as plain text. Code keeps its backticks, links keep their address, struck-out text its tildes. */
export function inlineText(nodes: readonly PhrasingContent[], marks: 'marked' | 'plain' = 'plain'): string {
  return nodes.map((node) => textOf(node, marks)).join('');
}

function textOf(node: PhrasingContent, marks: 'marked' | 'plain'): string {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return fence(node.value);
    case 'strong': {
      const text = inlineText(node.children);
      return marks === 'marked' ? `${boldStart}${text}${boldEnd}` : text;
    }
    case 'emphasis':
      return inlineText(node.children, marks);
    case 'delete':
      return `~~${inlineText(node.children)}~~`;
    case 'link': {
      const text = inlineText(node.children);
      const isPlain = text === node.url || node.url === `mailto:${text}` || node.url === `http://${text}`;
      return isPlain || node.url.startsWith('#') ? text : `${text} (${node.url})`;
    }
    case 'image':
      return `${node.alt ?? ''} (${node.url})`.trim();
    case 'break':
      return '\n';
    case 'html':
      return /^<br\s*\/?>$/i.test(node.value) ? '\n' : node.value;
    case 'linkReference':
      return inlineText(node.children);
    case 'imageReference':
      return node.alt ?? '';
    case 'footnoteReference':
      return `[^${node.identifier}]`;
  }
}

function fence(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${code}\`` : `${ticks} ${code} ${ticks}`;
}

/** White space as single blanks. */
export function toLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The code spans of a node, in order. */
export function codeSpans(node: Nodes): string[] {
  if (node.type === 'inlineCode') return [node.value.trim()];
  return 'children' in node ? node.children.flatMap((child) => codeSpans(child)) : [];
}
