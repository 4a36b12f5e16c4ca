/** The one file that knows the Markdown library. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes, Root, RootContent } from 'mdast';

export type { Heading, List, ListItem, Nodes, Paragraph, PhrasingContent, Root, RootContent, Table } from 'mdast';

/** GitHub's Markdown: tables, check boxes and struck-out text included. Every text is Markdown; nothing is refused. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** First and last line of a node, counted from 1. */
export function linesOf(node: Nodes): { from: number; to: number } {
  return { from: node.position?.start.line ?? 1, to: node.position?.end.line ?? 1 };
}

/** A block as it stands in the text, without the indentation of what it stands in. */
export function sourceOf(node: RootContent, text: string): string {
  const { start, end } = node.position ?? {};
  const raw = text.slice(start?.offset ?? 0, end?.offset ?? 0);
  const indent = (start?.column ?? 1) - 1;
  return indent === 0 ? raw : raw.replace(new RegExp(`^[ \\t>]{1,${indent}}`, 'gm'), '');
}
