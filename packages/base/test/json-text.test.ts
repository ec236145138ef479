import { expect, test } from 'vitest';
import { joined, objectAround, splicedParts, wellFormedJson } from '../src/text/json-text.ts';

test.each([
  ['half a pair', '\ud83d', '\ufffd'],
  ['the other half', 'a\udc00b', 'a\ufffdb'],
  ['a whole pair', '😀', '😀'],
  ['a backslash before the letters', '\\ud83d', '\\ud83d'],
  ['two backslashes', '\\\\ud83d \ud83d', '\\\\ud83d \ufffd'],
])('%s is written so that strict parsers accept it', (_what, value, read) => {
  expect(JSON.parse(wellFormedJson({ [value]: [value] }))).toEqual({ [read]: [read] });
  expect(wellFormedJson(value).isWellFormed()).toBe(true);
  expect(wellFormedJson(value)).not.toMatch(/(?<!\\)(\\\\)*\\ud[89a-f]/);
});

test.each([
  { before: 1, content: 'a "quoted" text', after: 2 },
  { content: 'first', after: null },
  { before: '"content":"" is quoted', content: 'last\ud83d' },
  { before: [{ other: '\\"content":""' }], content: '', after: { content: '' } },
])('the text of %j with the text of its member is the same', (value) => {
  const member = wellFormedJson<string>(value.content);
  const parts = splicedParts(value, 'content', member);
  expect(joined(parts)).toBe(wellFormedJson(value));
  expect(parts).toContain(member);
});

test.each([
  { before: {}, after: {} },
  { before: { one: 1 }, after: {} },
  { before: {}, after: { two: 'x\udc00' } },
  { before: { one: 1 }, after: { two: null } },
])('the text of an object around a member, between %j, is the same', ({ before, after }) => {
  const rows = wellFormedJson<string[]>(['a']);
  type Whole = { one?: number; rows: string[]; two?: string | null };
  expect(joined(objectAround<Whole, 'rows'>(before, ['rows', rows], after))).toBe(
    wellFormedJson({ ...before, rows: ['a'], ...after }),
  );
});
