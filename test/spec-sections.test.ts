import { describe, expect, test } from 'vitest';
import {
  countTests,
  namedSections,
  report,
  type Section,
  testedSections,
} from '../scripts/spec-sections.mjs';

describe('the number at the start of a name', () => {
  test.each([
    ['2.5 rule 3: the domain comes from the URL', ['2.5']],
    ['4.4 reads back', ['4.4']],
    ['2.12: sessions', ['2.12']],
    ['2.1, 2.2: unknown keys', ['2.1', '2.2']],
    ['3 rule 2: some failed', ['3', '3.2']],
    ['9 rule 3: no code disappears', ['9', '9.3']],
    ['8: a batch of 33', ['8']],
    ['3 providers run at once', []],
    ['2.5x is not a section', []],
    ['reads 2.5', []],
  ])('%s', (name, sections) => {
    expect(namedSections(name)).toEqual(sections);
  });
});

describe('the tests of a source', () => {
  const sectionsOf = (text: string) =>
    testedSections('x.test.ts', text).map(({ sections }) => sections.join());

  test.each([
    `test('2.5 a', () => {})`,
    `it("2.5 a", () => {})`,
    `test(\`2.5 rule 1: \${given}\`, () => {})`,
    `test.each([1, 2])('2.5 a %s', (n: number) => {})`,
    `test.each\`a | b\n\${1} | \${2}\`('2.5 a', () => {})`,
    `test.skipIf(!database)('2.5 a', () => {})`,
    `describe('x', () => { it.concurrent('2.5 a', async () => {}); })`,
    `for (const a of list) test('2.5 ' + a, () => {});`,
  ])('%s', (text) => {
    expect(sectionsOf(text)).toEqual(['2.5']);
  });

  test('tests without a number get that of their describe', () => {
    const text = `describe('4.4 reading', () => { test('a', f); test('2.4 b', f); }); test('c', f);`;
    expect(sectionsOf(text)).toEqual(['4.4', '2.4', '']);
  });

  test.each([
    `// test('2.5 a', () => {})`,
    `const text = "test('2.5 a', () => {})";`,
    `test.skip('2.5 a', () => {})`,
    `it.todo('2.5 a')`,
    `describe.skip('x', () => { test('2.5 a', () => {}); })`,
    `log('2.5 a')`,
  ])('not %s', (text) => {
    expect(sectionsOf(text)).toEqual([]);
  });
});

describe('the report', () => {
  const sections: Section[] = [
    { number: '2.1', title: 'Request', scope: 'search' },
    { number: '2.2', title: 'Options', scope: 'search' },
    { number: '2.3', title: 'Providers', scope: 'search' },
    { number: '2.8', title: 'Fetch', scope: 'later' },
    { number: '3', title: 'States', scope: 'search' },
  ];
  const reportOf = (text: string) =>
    report(sections, countTests(sections, testedSections('x.test.ts', text)));

  test('counts tests, lists sections in scope without a test, and numbers that are not sections', () => {
    expect(
      reportOf(
        `test('2.1 a', f); test('2.1, 2.2 b', f); test('2.13 c', f); test('3 rule 1: d', f);`,
      ),
    ).toEqual({
      ok: false,
      lines: [
        '2.1      2  Request',
        '2.2      1  Options',
        '2.3      0  Providers',
        '2.8      0  Fetch (later)',
        '3        1  States',
        '',
        'Named, but no section:',
        '  2.13  x.test.ts > 2.13 c',
        '',
        'No test names:',
        '  2.3 Providers',
      ],
    });
  });

  const whole = `test('2.1, 2.2, 2.3 a', f); test('3: b', f);`;
  test.each([
    ['every section in scope has a test', whole, true],
    ['a section in scope without a test', `test('2.1, 2.2, 2.3 a', f);`, false],
    ['a test names an unknown section', `${whole} test('5.0 as 5', f);`, false],
  ])('%s', (_name, text, ok) => {
    expect(reportOf(text).ok).toBe(ok);
  });
});
