import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makePrd } from '../../../src/convert/make-prd.ts';
import { printPrd } from '../../../src/convert/print-prd.ts';
import { readDocument } from '../../../src/convert/read-document.ts';
import { parsePrd } from '../../../src/prd/parse-prd.ts';
import { lint } from '../prd/lint/linting.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

it('prd.json.example is exactly what comes out for the example document', () => {
  const { prd, remarks } = makePrd(readDocument(read('docs/prd-example.md')), { file: 'prd-example.md', project: '' });
  expect(printPrd(prd)).toBe(read('prd.json.example'));
  expect(remarks).toEqual([]);
});

it('and no rule has a word to say about it', () => {
  const value: { userStories: object[] } = JSON.parse(read('prd.json.example'));
  expect(parsePrd(read('prd.json.example'), 'prd.json').warnings).toEqual([]);
  expect(lint(value.userStories, { top: value })).toEqual([]);
});
