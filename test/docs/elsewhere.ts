import type { Block } from './blocks.ts';

/** Blocks of these pages and languages are run by another test, which asserts more. */
export const TESTED_ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/frameworks.md': { python: 'test/docs/python.test.ts' },
  'docs/python.md': { python: 'test/docs/python.test.ts' },
  'docs/sdk.md': { ts: 'packages/client/test/package.test.ts' },
};

export const isTestedElsewhere = ({ page, language }: Block): boolean =>
  TESTED_ELSEWHERE[page]?.[language] !== undefined;
