import { JsonSyntaxError } from '../json/json-syntax-error.ts';
import { valueOf } from '../json/json-tree.ts';
import type { JsonValue } from '../json/json-tree.ts';
import { parseJson } from '../json/parse-json.ts';
import { UsageError } from '../errors.ts';

/** What a file to convert is. */
export type Source =
  | { readonly kind: 'document'; readonly text: string }
  | { readonly kind: 'json'; readonly value: JsonValue };

/** Tells a document from a list of another tool. Throws UsageError for an empty file, and for broken JSON. */
export function readSource(text: string, name: string): Source {
  if (text.replace(/^\uFEFF/, '').trim() === '') {
    throw new UsageError(`${name} is empty`, { cures: ['ralph prd "<idea>" writes a document'] });
  }
  const isNamedJson = /\.json[c5]?$/i.test(name);
  if (!isNamedJson && !/^\uFEFF?\s*[[{]/.test(text)) return { kind: 'document', text };
  try {
    return { kind: 'json', value: valueOf(parseJson(text).root) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    // A document may begin with a link or a bracket.
    if (!isNamedJson) return { kind: 'document', text };
    throw new UsageError(`${name} is not valid JSON`, {
      problems: [`${name}:${error.line}:${error.column}: ${error.message}`],
      cause: error,
    });
  }
}
