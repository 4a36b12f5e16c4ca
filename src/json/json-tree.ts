/** A JSON value as `JSON.parse` gives it. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Keys and list positions from the top level down to a value. */
export type JsonPath = readonly (string | number)[];

/** A value and where it stands: UTF-16 offsets into the text, `end` exclusive. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

export interface JsonObjectNode {
  readonly kind: 'object';
  readonly start: number;
  readonly end: number;
  readonly members: readonly JsonMember[];
}

export interface JsonArrayNode {
  readonly kind: 'array';
  readonly start: number;
  readonly end: number;
  readonly items: readonly JsonNode[];
}

export interface JsonScalarNode {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly value: null | boolean | number | string;
}

/** One `"key": value`; `start` and `end` are those of the key with its quotes. */
export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly value: JsonNode;
}

/** A key that stands twice in one object. As everywhere in JavaScript the last one counts. */
export interface DuplicateKey {
  readonly path: JsonPath;
  /** Offset of the later key. */
  readonly start: number;
}

export interface JsonDocument {
  /** The exact text, byte order mark included. */
  readonly text: string;
  readonly root: JsonNode;
  readonly duplicates: readonly DuplicateKey[];
}

/** The plain value of a node. A key `__proto__` becomes an ordinary property, as with `JSON.parse`. */
export function valueOf(node: JsonNode): JsonValue {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'array':
      return node.items.map(valueOf);
    case 'object': {
      const value: { [key: string]: JsonValue } = {};
      for (const member of node.members) {
        Object.defineProperty(value, member.key, {
          value: valueOf(member.value),
          configurable: true,
          enumerable: true,
          writable: true,
        });
      }
      return value;
    }
  }
}

/** The member that counts for a key: the last one. */
export function memberOf(node: JsonObjectNode, key: string): JsonMember | undefined {
  return node.members.findLast((member) => member.key === key);
}

/** The node at a path, or undefined where the document has none. */
export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (node?.kind === 'object' && typeof step === 'string') node = memberOf(node, step)?.value;
    else if (node?.kind === 'array' && typeof step === 'number') node = node.items[step];
    else return undefined;
  }
  return node;
}

/** A path as people write it: `userStories[2].passes`, `[0]["odd key"]`. The top level is the empty text. */
export function formatPlace(path: JsonPath): string {
  let place = '';
  for (const step of path) {
    if (typeof step === 'number') place += `[${step}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) place += place === '' ? step : `.${step}`;
    else place += `[${JSON.stringify(step)}]`;
  }
  return place;
}

/** Are two JSON values the same, whatever the order of keys? */
export function isSameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isSameJson(item, right[index]));
  }
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]));
}
