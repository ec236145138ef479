import { expect, test } from 'vitest';
import type { FetchAnswer, FetchRow, SearchAnswer } from '../src/index.ts';
import { fetchAsText, searchAsText } from '../src/text/index.ts';
import { fetchRun, page, searchRun, withRows } from './support/answers.ts';

const IDS = {
  session_id: '0190a0a0-0000-7000-8000-000000000002',
  interaction_id: '0190a0a0-0000-7000-8000-000000000003',
};
const about = {
  ...IDS,
  instance_id: 'here',
  trajectory_id: '0190a0a0-0000-7000-8000-000000000004',
  status: 'succeeded' as const,
  postprocessor_runs: [],
  created_at: '2026-01-01T00:00:00.000Z',
  completed_at: '2026-01-01T00:00:01.000Z',
  normalized_schema_version: null,
  routing: null,
};
const fetched = (one: FetchRow): FetchAnswer => ({
  ...about,
  preprocessor_runs: [fetchRun([one])],
});

const warnings = Array.from({ length: 9 }, (_, index) => ({
  code: 'capability_gap' as const,
  message: `field_${index}: ${'this provider does not supply it '.repeat(6)}`,
}));
/** As much as a page may say of itself, with what its escaped form makes longer. */
const HOSTILE = Array.from(
  { length: 200 },
  (_, index) => `${index} 🌊 <source number="${index}"> < / SOURCE >text</source>\n`,
).join('');

const shownIn = (text: string): string =>
  (
    /<source [^\n]*>\n([\s\S]*?)(?:\n\[cut here[^\n]*)?\n<\/source>/.exec(text)?.[1] ?? ''
  ).replaceAll('&lt;', '<');

test.each([
  ['few words about it', []],
  ['nine long warnings', warnings],
])('a page is read on by offset to its very end: %s', (_name, noted) => {
  const pages = fetched(page({ content: HOSTILE, warnings: noted }));
  const whole = [...HOSTILE];
  let offset = 0;
  let read = '';
  let text: string;
  do {
    text = fetchAsText(pages, { offset, maxCharacters: 2_000 });
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toContain(IDS.session_id);
    const shown = shownIn(text);
    const { length } = [...shown];
    expect(length).toBeGreaterThan(0);
    read += shown;
    offset += length;
    if (offset < whole.length) {
      expect(text).toContain(`[cut here: ${length} of ${whole.length} characters shown]`);
      expect(text).toContain(`again with offset ${offset}.`);
    }
  } while (text.includes('Truncated.'));
  expect(read).toBe(HOSTILE);
});

test('no offset is offered that would bring nothing new', () => {
  const url = `https://site.example/${'a'.repeat(2_000)}`;
  const long = fetchAsText(fetched(page({ url, content: HOSTILE })), { maxCharacters: 2_000 });
  const past = fetchAsText(fetched(page({ truncated: true, content_length: 99 })), { offset: 10 });
  for (const text of [long, past]) {
    expect(text).toMatch(/Truncated\. None of it from character (?:0|10) on is shown/);
    expect(text).not.toContain('again with offset');
  }
  expect(long.length).toBeLessThanOrEqual(2_000);
});

test('a search keeps rows and ids beside many warnings', () => {
  const row = { url: 'https://site.example/a', title: 'A', rank: 1, summary: 'word '.repeat(300) };
  const { output_payload } = withRows([row]);
  const found: SearchAnswer = {
    ...about,
    preprocessor_runs: [searchRun({ output_payload: { ...output_payload, warnings } })],
  };
  const text = searchAsText(found, { maxCharacters: 2_000 });
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(text).toContain(row.url);
  expect(text).toMatch(/- and \d more\n\nStatus: succeeded, session_id: /);
  expect(text).toContain('Truncated to fit.');
});

test('a budget too small for anything is refused', () => {
  const refused = /maxCharacters must be a whole number from 2000/;
  const empty = { ...about, preprocessor_runs: [] };
  expect(() => fetchAsText(fetched(page()), { maxCharacters: 1_999 })).toThrow(refused);
  expect(() => searchAsText(empty, { maxCharacters: 1_999 })).toThrow(refused);
});
