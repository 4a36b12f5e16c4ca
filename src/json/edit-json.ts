import { formatPlace, isSameJson, nodeAt, valueOf } from './json-tree.ts';
import type { JsonDocument, JsonMember, JsonObjectNode, JsonPath, JsonValue } from './json-tree.ts';

/** A member to set (made if it is missing) or, with `value: undefined`, to remove. */
export interface JsonEdit {
  /** Path of the member: that of its object, and the key. */
  readonly path: JsonPath;
  readonly value: JsonValue | undefined;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits of one object, by key. */
interface ObjectEdits {
  readonly node: JsonObjectNode;
  readonly values: Map<string, JsonValue | undefined>;
}

/** How an object is written: what stands between members, between key and value, and how deep it goes. */
interface Style {
  readonly gap: string;
  readonly colon: string;
  /** The line break and indentation of a member, or undefined for an object on one line. */
  readonly lineStart: string | undefined;
  readonly unit: string;
}

/**
 * The text with these members set or removed; every other character stays as it is. New members go to the end of their
 * object and are written like its other members. A value that is there already is not touched, however it is written.
 *
 * @throws {Error} when a path leads to no object: a bug of the caller
 */
export function editJson(document: JsonDocument, edits: readonly JsonEdit[]): string {
  const replacements = groupByObject(document, edits).flatMap((group) => editObject(document.text, group));
  let text = '';
  let offset = 0;
  for (const { start, end, text: inserted } of replacements.sort((a, b) => a.start - b.start)) {
    text += document.text.slice(offset, start) + inserted;
    offset = end;
  }
  return text + document.text.slice(offset);
}

function groupByObject(document: JsonDocument, edits: readonly JsonEdit[]): ObjectEdits[] {
  const groups = new Map<JsonObjectNode, ObjectEdits>();
  for (const { path, value } of edits) {
    const node = nodeAt(document.root, path.slice(0, -1));
    const key = path.at(-1);
    if (node?.kind !== 'object' || typeof key !== 'string')
      throw new Error(`no object to edit at ${formatPlace(path)}`);
    const group = groups.get(node) ?? { node, values: new Map() };
    group.values.set(key, value);
    groups.set(node, group);
  }
  return [...groups.values()];
}

function editObject(text: string, { node, values }: ObjectEdits): Replacement[] {
  const style = styleOf(text, node);
  const present = new Set(node.members.map((member) => member.key));
  const kept = node.members.filter((member) => !values.has(member.key) || values.get(member.key) !== undefined);
  const added = [...values].filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined && !present.has(entry[0]),
  );
  const inserted = added.map(([key, value]) => `${JSON.stringify(key)}${style.colon}${print(value, style)}`);
  const last = kept.at(-1);
  if (last === undefined) return rewriteEmpty(text, node, inserted, style);
  const changed = kept.flatMap((member) => replaceValue(member, node, values, style));
  const tail = inserted.map((member) => style.gap + member).join('');
  return [
    ...changed,
    ...removeMembers(node, kept),
    { start: last.value.end, end: tailEnd(node, last), text: tail },
  ].filter(({ start, end, text: replacement }) => start < end || replacement !== '');
}

/** Of a key that stands twice only the last one counts, and only that one is set. */
function replaceValue(
  member: JsonMember,
  node: JsonObjectNode,
  values: ObjectEdits['values'],
  style: Style,
): Replacement[] {
  const value = values.get(member.key);
  if (value === undefined || isSameJson(valueOf(member.value), value)) return [];
  if (node.members.some((other) => other.key === member.key && other.start > member.start)) return [];
  return [{ start: member.value.start, end: member.value.end, text: print(value, style) }];
}

/** Removed members in front of a kept one go with what follows them, so that the kept one stands where they stood. */
function removeMembers(node: JsonObjectNode, kept: readonly JsonMember[]): Replacement[] {
  const keep = new Set(kept);
  const replacements: Replacement[] = [];
  let start: number | undefined;
  for (const member of node.members) {
    if (!keep.has(member)) start ??= member.start;
    else if (start !== undefined) {
      replacements.push({ start, end: member.start, text: '' });
      start = undefined;
    }
  }
  return replacements;
}

/** Removed members behind the last kept one go with the comma in front of them. */
function tailEnd(node: JsonObjectNode, last: JsonMember): number {
  return Math.max(last.value.end, node.members.at(-1)?.value.end ?? 0);
}

function rewriteEmpty(text: string, node: JsonObjectNode, inserted: readonly string[], style: Style): Replacement[] {
  const inside = { start: node.start + 1, end: node.end - 1 };
  if (inserted.length === 0) return node.members.length === 0 ? [] : [{ ...inside, text: '' }];
  if (style.lineStart === undefined) return [{ ...inside, text: ` ${inserted.join(', ')} ` }];
  const close = lineBreakOf(text) + indentationAt(text, node.start);
  return [{ ...inside, text: style.lineStart + inserted.join(`,${style.lineStart}`) + close }];
}

function styleOf(text: string, node: JsonObjectNode): Style {
  const last = node.members.at(-1);
  const outer = indentationAt(text, node.start);
  if (last === undefined) {
    const isLong = text.slice(node.start, node.end).includes('\n') || node.start === text.search(/[^\uFEFF\s]/);
    const unit = unitOf(text);
    return { gap: ', ', colon: ': ', lineStart: isLong ? lineBreakOf(text) + outer + unit : undefined, unit };
  }
  const before = node.members.at(-2);
  const gap = before ? text.slice(before.value.end, last.start) : `,${text.slice(node.start + 1, last.start)}`;
  const single = gap.replace(/(?:\r?\n[ \t]*)+(?=\r?\n)/g, '');
  const lineStart = /\r\n[ \t]*$|[\r\n][ \t]*$/.exec(single)?.[0];
  const colon = text.slice(last.end, last.value.start);
  const inner = lineStart?.replace(/^[\r\n]+/, '');
  const isDeeper = inner !== undefined && inner.length > outer.length && inner.startsWith(outer);
  return {
    gap: single,
    colon: /[\r\n]/.test(colon) ? ': ' : colon,
    lineStart,
    unit: isDeeper ? inner.slice(outer.length) : unitOf(text),
  };
}

/** A value as the object's other members would be written. */
function print(value: JsonValue, style: Style): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (style.lineStart !== undefined) {
    // JSON.stringify cuts an indentation to ten characters, so it is asked for tabs
    const lines = JSON.stringify(value, null, '\t').replace(/^\t+/gm, (tabs) => style.unit.repeat(tabs.length));
    return lines.replaceAll('\n', style.lineStart);
  }
  return printLine(value, style.colon.endsWith(' ') || style.gap.endsWith(' ') ? ' ' : '');
}

function printLine(value: JsonValue, blank: '' | ' '): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => printLine(item, blank)).join(`,${blank}`)}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${blank}${printLine(item, blank)}`,
  );
  return members.length === 0 ? '{}' : `{${blank}${members.join(`,${blank}`)}${blank}}`;
}

function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The white space at the start of the line that an offset is in. */
function indentationAt(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^\uFEFF?([ \t]*)/.exec(text.slice(lineStart, offset))?.[1] ?? '';
}

/** One step of indentation: that of the first indented line, else two blanks. */
function unitOf(text: string): string {
  return /[\r\n]([ \t]+)[^\s]/.exec(text)?.[1] ?? '  ';
}
