import { WARNINGS, Warning } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { bodiesTo, queriesTo, search, TIERS, type Tier, useServer } from './support/search-runs.ts';

const server = useServer();
const DEFAULT_SEARCH_PROVIDERS = 'exa,nimbus,brave,nimbus,Exa';
/** No server listens there, so topics cannot be determined. */
const TOPIC_EMBEDDINGS_URL = 'http://127.0.0.1:9';
const withoutTopics = useServer({ env: { TOPIC_EMBEDDINGS_URL } });
const withUnknown = useServer({ env: { DEFAULT_SEARCH_PROVIDERS, TOPIC_EMBEDDINGS_URL } });
const keyless = useServer({
  env: { EXA_API_KEY: undefined, DEFAULT_SEARCH_PROVIDERS: 'exa,brave' },
});
const QUERY = 'tidal energy';

/** The gaps of each tier, without and with include_full_content, in the table's order. */
const GAPS: Record<string, Record<Tier, readonly [readonly string[], readonly string[]]>> = {
  exa: {
    minimalist: [[], []],
    default: [[], []],
    extended: [['excerpt', 'full_content'], ['excerpt']],
    max: [
      ['fetch_meta', 'answer', 'entities', 'related', 'verticals'],
      ['fetch_meta', 'answer', 'entities', 'related', 'verticals'],
    ],
  },
  brave: {
    minimalist: [[], []],
    default: [[], []],
    extended: [
      ['full_content', 'usage'],
      ['full_content', 'usage'],
    ],
    max: [
      ['full_content', 'usage', 'answer', 'related'],
      ['full_content', 'usage', 'answer', 'related'],
    ],
  },
};
const gap = (field: string, slug: string) =>
  expect.stringMatching(new RegExp(`^capability_gap ${field}: ${slug} \\w.+`));

describe('2.7 capability_gap', () => {
  const cases = TIERS.flatMap((tier) => [[tier, false, 0] as const, [tier, true, 1] as const]);
  test.each(cases)(
    '2.7 capability_gap: tier %s, full content %s',
    async (tier, fullContent, at) => {
      const faults = ['', ' [[*:empty]]', ' [[*:rows=1]]'];
      const block = { tier, include_full_content: fullContent };
      const { warnings } = await search(
        server(),
        faults.map((fault) => QUERY + fault),
        block,
      );
      // one entry per missing field and run, also with no rows
      for (const slug of ['exa', 'brave']) {
        const expected = (GAPS[slug]?.[tier][at] ?? []).map((field) => gap(field, slug));
        for (const index of faults.keys()) expect(warnings(slug, index)).toEqual(expected);
      }
    },
  );

  test('2.7 capability_gap: the message says what would add the field', async () => {
    const { warnings } = await search(server(), QUERY, { tier: 'extended' });
    const [excerpt = '', fullContent = ''] = warnings('exa');
    for (const word of ['max', 'fields']) expect(excerpt).toContain(word);
    for (const word of ['max', 'fields', 'include_full_content'])
      expect(fullContent).toContain(word);
    const max = await search(server(), QUERY, { tier: 'max' });
    const answer = max.warnings('exa').find((line) => line.includes('answer:'));
    expect(answer).toContain('outputSchema');
  });

  test('2.7 capability_gap: a value missing on only one row is not a gap', async () => {
    const { rows, warnings } = await search(server(), `${QUERY} [[*:odd-rows]]`, {
      fields: ['title', 'summary', 'publish_date', 'thumbnail', 'favicon', 'source', 'enrichments'],
      num_results: 10,
    });
    for (const slug of ['exa', 'brave']) {
      expect(rows(slug).some((row) => row.title === null)).toBe(true);
      expect(warnings(slug)).toEqual([expect.stringMatching(/^upstream_warning /)]);
    }
  });

  test('2.7 capability_gap: all gaps of a failed run are in error.warnings', async () => {
    const { warnings, error } = await search(server(), `${QUERY} [[*:status=400]]`, {
      tier: 'max',
    });
    for (const slug of ['exa', 'brave']) {
      expect(error(slug).code).toBe('bad_request');
      expect(warnings(slug)).toEqual((GAPS[slug]?.max[0] ?? []).map((field) => gap(field, slug)));
    }
  });
});

describe('2.7 count_clamped', () => {
  test.each([
    [10, 10, []],
    [11, 10, ['count_clamped num_results: exa ']],
    [20, 10, ['count_clamped num_results: exa ']],
  ])('2.7 count_clamped: %i requested from exa becomes %i', async (asked, sent, expected) => {
    const { rows, warnings } = await search(server(), QUERY, { num_results: asked });
    expect(rows('exa')).toHaveLength(sent);
    expect(bodiesTo(server(), 'exa')).toMatchObject([{ numResults: sent }]);
    expect(warnings('exa')).toEqual(expected.map((start) => expect.stringContaining(start)));
    for (const line of warnings('exa')) expect(line).toContain(`${asked}`);
    // brave accepts 20
    expect(rows('brave')).toHaveLength(asked);
    expect(queriesTo(server(), 'brave')).toMatchObject([{ count: `${asked}` }]);
    expect(warnings('brave')).toEqual([]);
  });

  test('2.7 count_clamped: in each run of a batch, with no rows and on a failed run', async () => {
    const batch = [QUERY, `${QUERY} [[exa:empty]]`, `${QUERY} [[exa:status=400]]`];
    const { warnings } = await search(server(), batch, { num_results: 20 });
    for (const index of batch.keys())
      expect(warnings('exa', index)).toEqual([
        expect.stringMatching(/^count_clamped num_results: /),
      ]);
  });
});

describe('2.7 provider_skipped', () => {
  test('2.7 provider_skipped: in every run, once per unknown name of the default set', async () => {
    const batch = [QUERY, `${QUERY} [[exa:status=400]]`, `${QUERY} [[brave:empty]]`];
    const { runs, warnings } = await search(withUnknown(), batch, { tier: 'extended' });
    expect(runs.map((run) => run.preprocessor_name)).toEqual([
      ...['exa', 'brave', 'exa', 'brave', 'exa', 'brave'],
    ]);
    for (const { preprocessor_name: slug, batch_index: index } of runs) {
      expect(warnings(slug, index).slice(0, 2)).toEqual([
        expect.stringMatching(/^provider_skipped .*nimbus/),
        expect.stringMatching(/^provider_skipped .*Exa/),
      ]);
      expect(warnings(slug, index)).toHaveLength(4);
    }
  });

  test('2.7 provider_skipped: also with exclude, which subtracts from the default set', async () => {
    const { runs, warnings } = await search(withUnknown(), QUERY, {
      providers: { exclude: ['exa'] },
    });
    expect(runs).toHaveLength(1);
    expect(warnings('brave')).toEqual([
      expect.stringContaining('nimbus'),
      expect.stringContaining('Exa'),
    ]);
  });

  test('2.7 provider_skipped: not when include replaces the default set', async () => {
    const { warnings } = await search(withUnknown(), QUERY, { providers: { include: ['exa'] } });
    expect(warnings('exa')).toEqual([]);
  });

  test('2.7 provider_skipped: the unknown name is logged at the start', () => {
    expect(withUnknown().logged()).toContain('nimbus');
  });

  test('2.7 provider_skipped: a known provider without a key is not skipped but a failed run', async () => {
    const { runs, warnings } = await search(keyless(), QUERY);
    expect(runs.map((run) => run.error?.code ?? run.status)).toEqual([
      'missing_credential',
      'succeeded',
    ]);
    expect(warnings('brave')).toEqual([]);
  });
});

describe('2.7 routing_unavailable', () => {
  test('2.7 routing_unavailable: in the warnings of each run, in error.warnings of failed ones', async () => {
    const batch = [QUERY, `${QUERY} [[brave:status=400]]`];
    const { answer, runs, warnings } = await search(withoutTopics(), batch, {
      auto_routing: 'accuracy',
    });
    expect(answer.routing).toEqual(
      batch.map(() => ({ topic: null, score: null, providers: ['exa', 'brave'] })),
    );
    for (const { preprocessor_name: slug, batch_index: index } of runs)
      expect(warnings(slug, index)).toEqual([expect.stringMatching(/^routing_unavailable .+/)]);
  });

  test('2.4 routing has one entry per query, naming the set that ran; null without auto-routing', async () => {
    const include = ['brave'];
    const routed = await search(withoutTopics(), ['tides', 'waves', 'wind'], {
      auto_routing: 'accuracy',
      providers: { include },
    });
    expect(routed.answer.routing).toEqual(
      Array(3).fill({ topic: null, score: null, providers: include }),
    );
    const single = await search(withoutTopics(), 'tides', { auto_routing: 'accuracy' });
    expect(single.answer.routing).toHaveLength(1);
    const plain = await search(withoutTopics(), 'tides', { auto_routing: null });
    expect(plain.answer.routing).toBeNull();
    expect(plain.warnings('exa')).toEqual([]);
  });
});

describe('2.7 a query longer than a provider accepts', () => {
  const word = 'undertow';
  const long = Array(60).fill('tide').join(' ');
  test.each([
    ['50 words', Array(50).fill('tide').join(' '), null],
    ['51 words', Array(51).fill('tide').join(' '), Array(50).fill('tide').join(' ')],
    ['400 characters', `${'x'.repeat(399)}y`, null],
    ['401 characters in one word', 'x'.repeat(401), 'x'.repeat(400)],
    [
      '45 words of 9 characters',
      Array(45).fill(`${word}s`).join(' '),
      Array(40).fill(`${word}s`).join(' '),
    ],
    ['400 characters before a blank', `${'x'.repeat(400)} y`, 'x'.repeat(400)],
    ['400 characters outside the BMP', '🌊'.repeat(400), null],
  ])('2.7 capability_gap query: %s', async (_name, query, cut) => {
    const { runs, warnings, rows } = await search(server(), query);
    expect(runs.map((run) => run.query)).toEqual([query, query]);
    expect(queriesTo(server(), 'brave')).toMatchObject([{ q: cut ?? query }]);
    expect(rows('brave')).toHaveLength(5);
    expect(warnings('brave')).toEqual(
      cut === null ? [] : [expect.stringMatching(/^capability_gap query: brave .*400.*50/)],
    );
    // exa names no limit
    expect(bodiesTo(server(), 'exa')).toMatchObject([{ query }]);
    expect(warnings('exa')).toEqual([]);
  });

  test('2.7 capability_gap query: only in the run of that query, even if it failed', async () => {
    const { runs, warnings } = await search(server(), [
      'tides',
      `${long} [[brave:status=400]]`,
      long,
    ]);
    expect(warnings('brave', 0)).toEqual([]);
    expect(warnings('brave', 1)).toEqual([expect.stringContaining('capability_gap query: brave ')]);
    expect(warnings('brave', 2)).toEqual([expect.stringContaining('capability_gap query: brave ')]);
    expect(runs.map((run) => run.query).at(-1)).toBe(long);
  });
});

test('2.7 every warning has a published code, and those include the codes of the contract', () => {
  expect(Object.keys(WARNINGS)).toEqual(
    expect.arrayContaining([
      ...['capability_gap', 'count_clamped', 'provider_skipped', 'routing_unavailable'],
      ...['provider_error', 'relative_links', 'upstream_error'],
    ]),
  );
  expect(Warning.safeParse({ code: 'new_code', message: 'x' }).success).toBe(false);
});

test('2.7 one run can have all kinds of warnings', async () => {
  const query = `${Array(60).fill('tide').join(' ')}`;
  const { warnings } = await search(withUnknown(), query, {
    auto_routing: 'accuracy',
    tier: 'extended',
    num_results: 20,
  });
  const codes = (slug: string) => warnings(slug).map((line) => line.split(' ')[0]);
  const skipped = ['provider_skipped', 'provider_skipped'];
  const gaps = ['capability_gap', 'capability_gap'];
  expect(codes('exa')).toEqual([...skipped, 'routing_unavailable', 'count_clamped', ...gaps]);
  expect(codes('brave')).toEqual([...skipped, 'routing_unavailable', 'capability_gap', ...gaps]);
});
