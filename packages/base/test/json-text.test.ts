import { expect, test } from 'vitest';
import {
  arrayParts,
  joined,
  jsonText,
  objectAround,
  objectParts,
  wellFormedJson,
} from '../src/text/json-text.ts';

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

test('the text of an object has no member that is undefined', () => {
  type Whole = { first?: number; texts: string[]; last?: string };
  const texts = arrayParts<string>([jsonText('a'), jsonText('b')]);
  const parts = (first?: number, last?: string) =>
    joined(
      objectParts<Whole>({
        first: first === undefined ? undefined : jsonText(first),
        texts,
        last: last === undefined ? undefined : jsonText(last),
      }),
    );
  expect(parts()).toBe('{"texts":["a","b"]}');
  expect(parts(1)).toBe('{"first":1,"texts":["a","b"]}');
  expect(parts(undefined, 'z')).toBe('{"texts":["a","b"],"last":"z"}');
});

test.each([[[]], [['one']], [['one', ['t', 'wo'], 'three']]])(
  'the text of an array of %j',
  (items) => {
    const written = items.map((item) => wellFormedJson(item));
    expect(joined(arrayParts(written))).toBe(JSON.stringify(items));
    const inParts = items.map((item) =>
      arrayParts([item].flat().map((one) => wellFormedJson<string>(one))),
    );
    expect(joined(arrayParts(inParts))).toBe(JSON.stringify(items.map((item) => [item].flat())));
  },
);
