import { describe, expect, test } from 'vitest';
import { bodiesTo, queriesTo, search, TIERS, useServer } from './support/search-runs.ts';

const server = useServer();
const QUERY = 'tidal energy';

/** A search whose exa run is compared with the same one without include_full_content. */
async function withAndWithout(block: Record<string, unknown>) {
  const without = await search(server(), QUERY, { ...block, include_full_content: false });
  const asked = await search(server(), QUERY, { ...block, include_full_content: true });
  return { without, asked, exa: bodiesTo(server(), 'exa'), brave: queriesTo(server(), 'brave') };
}

describe('2.6 include_full_content has no effect where the tier lacks the field', () => {
  test.each(['minimalist', 'default'] as const)('2.6 tier %s', async (tier) => {
    const { without, asked, exa, brave } = await withAndWithout({ tier });
    expect(exa[1]).toEqual(exa[0]);
    expect(brave[1]).toEqual(brave[0]);
    for (const slug of ['exa', 'brave']) {
      const { latency_ms: _, ...same } = without.output(slug);
      expect(asked.output(slug)).toMatchObject(same);
      expect(asked.warnings(slug)).toEqual([]);
      for (const row of asked.rows(slug)) expect(row).not.toHaveProperty('full_content');
    }
  });

  test('2.6 fields mode without the name: nothing is bought, and no warning is added', async () => {
    const fields = ['url', 'summary', 'publish_date', 'usage'];
    const { without, asked, exa, brave } = await withAndWithout({ fields });
    expect(exa[1]).toEqual(exa[0]);
    expect(exa[0]).not.toHaveProperty('contents.text');
    expect(brave[1]).toEqual(brave[0]);
    expect(asked.warnings('exa')).toEqual(without.warnings('exa'));
    expect(asked.rows('exa')).toEqual(without.rows('exa'));
  });
});

test('2.6 at extended it fills full_content of exa, and allows the paid option', async () => {
  const { without, asked, exa } = await withAndWithout({ tier: 'extended', num_results: 10 });
  expect(exa).toEqual([
    { query: QUERY, type: 'auto', numResults: 10, contents: { highlights: true } },
    { query: QUERY, type: 'auto', numResults: 10, contents: { text: true, highlights: true } },
  ]);
  expect(without.rows('exa').map((row) => row.full_content)).toEqual(Array(10).fill(null));
  for (const row of asked.rows('exa'))
    expect(String(row.full_content).length).toBeGreaterThan(1_000);
  // options that it does not allow stay as they were
  expect(asked.rows('exa').map((row) => row.excerpt)).toEqual(Array(10).fill(null));
  expect(without.warnings('exa').filter((line) => line.includes('full_content:'))).toHaveLength(1);
  expect(asked.warnings('exa').filter((line) => line.includes('full_content:'))).toEqual([]);
});

test('2.6 at max exa buys page text with the tier, with and without include_full_content', async () => {
  const { without, asked, exa } = await withAndWithout({ tier: 'max' });
  expect(exa[1]).toEqual(exa[0]);
  expect(exa[0]).toMatchObject({ contents: { text: true } });
  for (const { rows, warnings } of [without, asked]) {
    for (const row of rows('exa')) expect(row.full_content).toEqual(expect.any(String));
    expect(warnings('exa').filter((line) => line.includes('full_content:'))).toEqual([]);
  }
});

test.each([undefined, true, false])(
  '2.6 naming full_content in fields opts in, include_full_content=%s',
  async (flag) => {
    const fields = ['url', 'full_content'];
    const block = flag === undefined ? { fields } : { fields, include_full_content: flag };
    const { rows, warnings } = await search(server(), QUERY, block);
    expect(bodiesTo(server(), 'exa')).toMatchObject([{ contents: { text: true } }]);
    for (const row of rows('exa')) expect(row.full_content).toEqual(expect.any(String));
    expect(warnings('exa')).toEqual([]);
  },
);

test('2.6 page text is the full text of exa, uncut', async () => {
  const { run, rows } = await search(server(), QUERY, { tier: 'max', include_raw: true });
  const raw = (run('exa').raw_payload?.results ?? []) as { text: string }[];
  expect(rows('exa').map((row) => row.full_content)).toEqual(raw.map((row) => row.text));
});

describe('2.6 a provider that cannot supply it returns null and a gap', () => {
  const cases = [
    ...TIERS.slice(2).flatMap((tier) => [{ tier }, { tier, include_full_content: true }]),
    { fields: ['full_content'] },
    { fields: ['full_content'], include_full_content: true },
  ];
  test.each(cases)('2.6 brave with %j', async (block) => {
    const { rows, warnings } = await search(server(), QUERY, block);
    expect(rows('brave').map((row) => row.full_content)).toEqual(Array(5).fill(null));
    expect(warnings('brave').filter((line) => line.includes('full_content'))).toEqual([
      expect.stringMatching(/^capability_gap full_content: brave \w/),
    ]);
  });
});
