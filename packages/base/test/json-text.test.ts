import { expect, test } from 'vitest';
import { wellFormedJson } from '../src/text/json-text.ts';

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
