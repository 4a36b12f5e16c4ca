import { expect, it } from 'vitest';
import { printPrd } from '../../../src/convert/print-prd.ts';

it('short lists of texts stand on one line, long ones and objects do not', () => {
  const long = 'x'.repeat(70);
  const text = printPrd({ a: ['b', 'c\n], [', '",\n "'], d: [long, long], e: [{ f: [1, null] }], g: [] });
  expect(text).toBe(
    `{\n  "a": ["b", "c\\n], [", "\\",\\n \\""],\n  "d": [\n    "${long}",\n    "${long}"\n  ],\n  "e": [\n    {\n      "f": [1, null]\n    }\n  ],\n  "g": []\n}\n`,
  );
});
