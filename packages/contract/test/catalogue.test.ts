import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  ROW_ERRORS,
  RUN_ERRORS,
  STEP_CODES,
  TYPED_ERRORS,
  VALIDATION_TYPES,
  WARNINGS,
} from '../src/index.ts';

const published: Record<string, readonly string[]> = JSON.parse(
  readFileSync(new URL('./codes.committed.json', import.meta.url), 'utf8'),
);

const current: Record<string, readonly string[]> = {
  warnings: Object.keys(WARNINGS),
  run_errors: Object.keys(RUN_ERRORS),
  typed_errors: Object.keys(TYPED_ERRORS),
  row_errors: Object.keys(ROW_ERRORS),
  step_codes: Object.keys(STEP_CODES),
  validation_types: VALIDATION_TYPES,
};

test('9 rule 3: no published code disappears', () => {
  for (const [catalogue, codes] of Object.entries(published)) {
    expect(codes.filter((code) => !current[catalogue]?.includes(code))).toEqual([]);
  }
});

test('every code is in the committed list, so that its removal will be noticed', () => {
  expect(Object.keys(published)).toEqual(Object.keys(current));
  for (const [catalogue, codes] of Object.entries(current)) {
    expect(codes.filter((code) => !published[catalogue]?.includes(code))).toEqual([]);
  }
});
