import { describe, expect, test } from 'vitest';
import { type Row, type Run, search, TIERS, useServer } from './support/search-runs.ts';

const server = useServer();
const SLUGS = ['exa', 'brave'];
const QUERY = 'tidal energy';

/** Every key of a row and of the envelope, per tier, as in the table. */
const ROW_KEYS = {
  minimalist: ['url', 'title', 'rank'],
  default: ['url', 'title', 'rank', 'summary'],
  extended: ['url', 'title', 'rank', 'summary', 'excerpt', 'full_content', 'publish_date'],
  max: [
    ...['url', 'title', 'rank', 'summary', 'excerpt', 'full_content', 'publish_date'],
    ...['thumbnail', 'favicon', 'source', 'enrichments', 'fetch_meta'],
  ],
};
const ALWAYS = ['fields', 'latency_ms', 'results', 'schema_version', 'tier', 'warnings'];
const ENVELOPE_KEYS = {
  minimalist: [],
  default: [],
  extended: ['usage'],
  max: ['usage', 'answer', 'entities', 'related', 'verticals'],
};
const ADDS = {
  minimalist: 'url, title, rank; latency_ms and warnings',
  default: 'summary',
  extended: 'excerpt, full_content, publish_date; usage',
  max: 'thumbnail, favicon, source, enrichments, fetch_meta; answer, entities, related, verticals',
};

describe.each(TIERS)('2.5 tier %s', (tier) => {
  test(`2.5 tier ${tier} adds ${ADDS[tier]}, the same for each provider`, async () => {
    const { output, rows } = await search(server(), QUERY, { tier, num_results: 10 });
    for (const slug of SLUGS) {
      const envelope = output(slug);
      expect(envelope).toMatchObject({ schema_version: 2, tier });
      expect(Object.keys(envelope).sort()).toEqual([...ALWAYS, ...ENVELOPE_KEYS[tier]].sort());
      expect(envelope.fields).toEqual([...ROW_KEYS[tier], ...ENVELOPE_KEYS[tier]]);
      expect(rows(slug)).toHaveLength(10);
      for (const row of rows(slug)) expect(Object.keys(row)).toEqual(ROW_KEYS[tier]);
    }
  });

  test(`2.5 tier ${tier}: latency_ms and warnings are on the envelope also with no rows`, async () => {
    const { output } = await search(server(), `${QUERY} [[*:empty]]`, { tier });
    for (const slug of SLUGS) {
      expect(output(slug).results).toEqual([]);
      expect(output(slug).latency_ms).toEqual(expect.any(Number));
      expect(output(slug).warnings).toEqual(expect.any(Array));
    }
  });
});

test('2.5 tiers are cumulative: a higher tier keeps the values of the lower one, except those it pays extra for', async () => {
  const answers = await Promise.all(TIERS.map((tier) => search(server(), QUERY, { tier })));
  for (const [step, { rows, output }] of answers.entries()) {
    const below = answers[step - 1];
    if (!below) continue;
    for (const slug of SLUGS) {
      expect(output(slug).fields).toEqual(expect.arrayContaining(below.output(slug).fields));
      for (const [index, row] of rows(slug).entries()) {
        const { summary, excerpt, full_content, ...kept } = below.rows(slug)[index] ?? {};
        expect(row).toMatchObject(kept);
        if (slug === 'brave') expect(row).toMatchObject({ ...below.rows(slug)[index] });
      }
    }
  }
});

test('2.5 tier is default when absent or null', async () => {
  for (const block of [{}, { tier: null }, { tier: null, fields: null }] as object[]) {
    const { output } = await search(server(), QUERY, block);
    expect(SLUGS.map((slug) => output(slug).tier)).toEqual(['default', 'default']);
  }
});

test('2.5 schema_version is 2 in every envelope', async () => {
  const { runs } = await search(server(), ['tides', 'waves'], { fields: ['usage'] });
  expect(runs.map((run) => run.output_payload?.schema_version)).toEqual([2, 2, 2, 2]);
});

/** The rows of a provider's answer, unchanged. */
function rawRows(run: Run): readonly Row[] {
  const { results, web } = (run.raw_payload ?? {}) as { results?: Row[]; web?: { results: Row[] } };
  return web?.results ?? results ?? [];
}

const asked = (tier: (typeof TIERS)[number]) =>
  search(server(), QUERY, { tier, num_results: 10, include_raw: true });

test("2.5 rule 1: rank is 1-based and per provider, in that provider's own order", async () => {
  const { run, rows } = await asked('max');
  for (const slug of SLUGS) {
    const raw = rawRows(run(slug));
    expect(raw).toHaveLength(10);
    expect(rows(slug).map((row) => [row.rank, row.title])).toEqual(
      raw.map((row, index) => [index + 1, row.title]),
    );
  }
});

describe('2.5 rule 2: summary is always the text snippet', () => {
  test('2.5 rule 2: for exa the highlights below max', async () => {
    for (const tier of ['default', 'extended'] as const) {
      const { run, rows } = await asked(tier);
      const highlights = rawRows(run('exa')).map((row) =>
        (row.highlights as string[]).join('\n\n'),
      );
      expect(rows('exa').map((row) => row.summary)).toEqual(highlights);
    }
  });

  test('2.5 rule 2: for exa the summary at max', async () => {
    const { run, rows } = await asked('max');
    const summaries = rawRows(run('exa')).map((row) => row.summary);
    expect(summaries.every((summary) => typeof summary === 'string')).toBe(true);
    expect(rows('exa').map((row) => row.summary)).toEqual(summaries);
  });

  test('2.5 rule 2: for brave the description, with its entities decoded', async () => {
    for (const tier of ['default', 'extended', 'max'] as const) {
      const { run, rows } = await asked(tier);
      const descriptions = rawRows(run('brave')).map((row) =>
        String(row.description)
          .replaceAll('&quot;', '"')
          .replaceAll('&#x27;', "'")
          .replaceAll('&amp;', '&'),
      );
      expect(rows('brave').map((row) => row.summary)).toEqual(descriptions);
    }
  });
});

test('2.5 rule 3: source.domain derives from the result URL, source.author from the author field', async () => {
  const { run, rows } = await asked('max');
  for (const slug of SLUGS) {
    for (const row of rows(slug)) {
      expect(Object.keys(row.source as object)).toEqual(['domain', 'author']);
      expect((row.source as Row).domain).toBe(new URL(String(row.url)).hostname);
    }
  }
  const authors = (slug: string) => rows(slug).map((row) => (row.source as Row).author);
  expect(authors('exa')).toEqual(
    rawRows(run('exa')).map(({ author }) => String(author ?? '').replace(/\s+/g, ' ') || null),
  );
  expect(authors('brave')).toEqual(
    rawRows(run('brave')).map(({ article }) => {
      const [first] = (article as { author?: { name: string }[] } | undefined)?.author ?? [];
      return first?.name.replace(/\s+/g, ' ') ?? null;
    }),
  );
  for (const slug of SLUGS) {
    expect(authors(slug)).toContain(null);
    expect(authors(slug).some((author) => typeof author === 'string')).toBe(true);
  }
});

test('2.5 rule 4: enrichments has the keys that normalization did not use, verbatim', async () => {
  const CONSUMED: Record<string, readonly string[]> = {
    exa: [
      ...['url', 'title', 'summary', 'highlights', 'text', 'publishedDate', 'author', 'image'],
      'favicon',
    ],
    brave: [
      ...['url', 'title', 'description', 'extra_snippets', 'page_age', 'page_fetched'],
      'fetched_content_timestamp',
    ],
  };
  const { run, rows } = await asked('max');
  for (const slug of SLUGS) {
    const expected = rawRows(run(slug)).map((row) => {
      // a picture marked as logo shows the site, not the page, and is not used
      const isLogo = (row.thumbnail as Row | undefined)?.logo === true;
      const consumed = [...(CONSUMED[slug] ?? []), ...(isLogo ? [] : ['thumbnail'])];
      return Object.fromEntries(Object.entries(row).filter(([key]) => !consumed.includes(key)));
    });
    expect(rows(slug).map((row) => row.enrichments)).toEqual(expected);
  }
});

test('2.5 rule 5: usage, answer, entities, related and verticals are never on result rows', async () => {
  const envelopeFields = ['usage', 'answer', 'entities', 'related', 'verticals'];
  const byTier = await Promise.all(TIERS.map((tier) => search(server(), QUERY, { tier })));
  const named = await search(server(), QUERY, { fields: ['url', ...envelopeFields] });
  for (const { rows } of [...byTier, named]) {
    for (const row of [...rows('exa'), ...rows('brave')])
      for (const field of envelopeFields) expect(row).not.toHaveProperty(field);
  }
});

test('2.5 rule 6: result URLs are comparable: both providers give the same URL for a page', async () => {
  const batch = ['tidal energy', 'tide pools', 'harbour walls', 'salt marshes', 'wave power'];
  const { run, rows } = await search(server(), batch, { num_results: 5, include_raw: true });
  for (const index of batch.keys()) {
    const urls = (slug: string) => rows(slug, index).map((row) => String(row.url));
    expect(urls('exa').filter((url) => urls('brave').includes(url))).not.toEqual([]);
    for (const url of [...urls('exa'), ...urls('brave')]) {
      expect(url).not.toContain('utm_');
      expect(new URL(url).href).toBe(url);
    }
  }
  const received = batch.flatMap((_query, index) => rawRows(run('exa', index)));
  expect(received.some((row) => String(row.url).includes('utm_source'))).toBe(true);
});

test('2.5 rule 7: a value that the provider does not supply is null on that row, without a gap', async () => {
  const { run, rows, warnings } = await asked('max');
  const RAW_KEYS: Record<string, Record<string, string>> = {
    exa: { publish_date: 'publishedDate', thumbnail: 'image', favicon: 'favicon' },
    brave: { excerpt: 'extra_snippets' },
  };
  let missing = 0;
  for (const slug of SLUGS) {
    for (const [field, key] of Object.entries(RAW_KEYS[slug] ?? {})) {
      const isAbsent = rawRows(run(slug)).map((row) => row[key] === undefined);
      expect(rows(slug).map((row) => row[field] === null)).toEqual(isAbsent);
      missing += isAbsent.filter(Boolean).length;
      expect(warnings(slug).filter((line) => line.includes(`${field}:`))).toEqual([]);
    }
  }
  expect(missing).toBeGreaterThan(0);
});

test('2.5 rule 8: the fields of exa come from its own fields', async () => {
  const { run, rows, output, warnings } = await asked('max');
  const utc = (value: unknown) => (value === undefined ? null : value);
  expect(
    rows('exa').map((row) => [row.excerpt, row.full_content, row.publish_date, row.thumbnail]),
  ).toEqual(
    rawRows(run('exa')).map((row) => [
      (row.highlights as string[]).join('\n\n'),
      row.text,
      utc(row.publishedDate),
      row.image ?? null,
    ]),
  );
  const { total, ...units } = (run('exa').raw_payload?.costDollars ?? {}) as Row;
  expect(output('exa').usage).toEqual({
    requests: 1,
    units,
    cost_usd: total,
    cost_source: 'reported',
  });
  for (const field of ['entities', 'related', 'verticals', 'fetch_meta']) {
    expect(
      warnings('exa').filter((line) => line.startsWith(`capability_gap ${field}: exa `)),
    ).toHaveLength(1);
  }
  expect(output('exa')).toMatchObject({ entities: [], related: [], verticals: null });
  expect(rows('exa').map((row) => row.fetch_meta)).toEqual(Array(10).fill(null));
});

test('2.5 rule 8: enrichments asks exa for the paid extras', async () => {
  for (const block of [{ tier: 'max' as const }, { fields: ['url', 'enrichments'] }]) {
    const { rows } = await search(server(), QUERY, block);
    for (const row of rows('exa')) {
      expect(row.enrichments).toMatchObject({
        extras: { links: expect.any(Array), imageLinks: expect.any(Array) },
      });
    }
  }
});
