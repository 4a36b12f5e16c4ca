import type { JsonNode } from './json-tree.ts';

/**
 * A value of the document as its own text, indented with two blanks: numbers, escapes, the order of keys and keys that stand
 * twice come through as they are written.
 *
 * @param omit keys of the value itself that are left out
 */
export function reindentJson(text: string, node: JsonNode, omit: readonly string[] = [], indent = ''): string {
  const inner = `${indent}  `;
  switch (node.kind) {
    case 'scalar':
      return text.slice(node.start, node.end);
    case 'array': {
      const items = node.items.map((item) => inner + reindentJson(text, item, [], inner));
      return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n${indent}]`;
    }
    case 'object': {
      const members = node.members
        .filter((member) => !omit.includes(member.key))
        .map(({ start, end, value }) => `${inner}${text.slice(start, end)}: ${reindentJson(text, value, [], inner)}`);
      return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
    }
  }
}
