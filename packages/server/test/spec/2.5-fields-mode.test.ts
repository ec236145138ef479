import { describe, expect, test } from 'vitest';
import {
  ENVELOPE_FIELDS,
  LIST_FIELDS,
  ROW_FIELDS,
  search,
  useServer,
} from './support/search-runs.ts';

const server = useServer();
const QUERY = 'tidal energy';
const SLUGS = ['exa', 'brave'];
/** Fields that a request in fields mode never gets. */
const GAPS: Record<string, readonly string[]> = {
  exa: ['fetch_meta', 'answer', 'entities', 'related', 'verticals'],
  brave: ['full_content', 'usage', 'answer', 'related'],
};

test.each(ROW_FIELDS)('2.5 fields mode: %s alone is the only key of each row', async (field) => {
  const { output, rows, warnings } = await search(server(), QUERY, {
    fields: [field],
    num_results: 10,
  });
  for (const slug of SLUGS) {
    const isGap = GAPS[slug]?.includes(field) === true;
    expect(output(slug)).toMatchObject({ tier: null, fields: [field] });
    expect(rows(slug)).toHaveLength(10);
    for (const row of rows(slug)) expect(Object.keys(row)).toEqual([field]);
    for (const name of ENVELOPE_FIELDS) expect(output(slug)).not.toHaveProperty(name);
    expect(rows(slug).some((row) => row[field] !== null)).toBe(!isGap);
    expect(warnings(slug)).toEqual(
      isGap ? [expect.stringMatching(`^capability_gap ${field}: ${slug} \\w`)] : [],
    );
  }
});

test.each(ENVELOPE_FIELDS)('2.5 fields mode: %s alone leaves empty rows', async (field) => {
  const { output, rows, warnings } = await search(server(), QUERY, { fields: [field] });
  for (const slug of SLUGS) {
    const isGap = GAPS[slug]?.includes(field) === true;
    const envelope: Record<string, unknown> = output(slug);
    expect(envelope).toMatchObject({ tier: null, fields: [field] });
    expect(rows(slug)).toEqual([{}, {}, {}, {}, {}]);
    const empty = LIST_FIELDS.includes(field) ? [] : null;
    if (isGap) expect(envelope[field]).toEqual(empty);
    else expect(envelope[field]).not.toEqual(empty);
    expect(warnings(slug)).toEqual(
      isGap ? [expect.stringMatching(`^capability_gap ${field}: ${slug} \\w`)] : [],
    );
  }
});

describe('2.5 fields mode: latency_ms and warnings', () => {
  test.each([['latency_ms'], ['warnings'], ['latency_ms', 'warnings']])(
    '2.5 fields mode: %s alone is allowed and has no effect',
    async (...fields) => {
      const { output, rows } = await search(server(), QUERY, { fields });
      for (const slug of SLUGS) {
        expect(Object.keys(output(slug)).sort()).toEqual([
          ...['fields', 'latency_ms', 'results', 'schema_version', 'tier', 'warnings'],
        ]);
        expect(output(slug)).toMatchObject({ tier: null, fields: [] });
        expect(rows(slug)).toEqual([{}, {}, {}, {}, {}]);
      }
    },
  );

  test('2.5 fields mode: with other names they change nothing', async () => {
    const plain = await search(server(), QUERY, { fields: ['url', 'usage'] });
    const named = await search(server(), QUERY, {
      fields: ['warnings', 'usage', 'latency_ms', 'url'],
    });
    for (const slug of SLUGS) {
      const { latency_ms: _, ...envelope } = named.output(slug);
      expect(plain.output(slug)).toMatchObject(envelope);
    }
  });
});

test.each([
  [['url', 'rank']],
  [['rank', 'url']],
  [['verticals', 'title', 'usage', 'url']],
  [['fetch_meta', 'enrichments', 'source', 'favicon', 'thumbnail', 'publish_date']],
  [['related', 'full_content', 'answer', 'excerpt', 'summary', 'entities']],
  [[...ENVELOPE_FIELDS, ...ROW_FIELDS].reverse()],
])('2.5 fields mode: %j are returned in the order of the table', async (fields) => {
  const { output, rows, warnings } = await search(server(), QUERY, { fields });
  const active = [...ROW_FIELDS, ...ENVELOPE_FIELDS].filter((field) => fields.includes(field));
  for (const slug of SLUGS) {
    expect(output(slug).fields).toEqual(active);
    expect(output(slug).tier).toBeNull();
    for (const row of rows(slug))
      expect(Object.keys(row)).toEqual(active.filter((field) => ROW_FIELDS.includes(field)));
    expect(warnings(slug)).toEqual(
      active
        .filter((field) => GAPS[slug]?.includes(field))
        .map((field) => expect.stringMatching(`^capability_gap ${field}: ${slug} \\w`)),
    );
  }
});

test('2.5 fields mode: a name given twice counts once', async () => {
  const { output } = await search(server(), QUERY, { fields: ['url', 'title', 'url'] });
  expect(output('exa').fields).toEqual(['url', 'title']);
});

test('2.5 fields mode: values are the same as in a tier', async () => {
  const fields = [...ROW_FIELDS, ...ENVELOPE_FIELDS];
  const named = await search(server(), QUERY, { fields });
  const max = await search(server(), QUERY, { tier: 'max' });
  const { tier: _tier, latency_ms: _latency, ...brave } = max.output('brave');
  expect(named.output('brave')).toMatchObject(brave);
  // at max the summary of exa is its paid summary, in fields mode its highlights
  for (const [index, row] of named.rows('exa').entries()) {
    const { summary, enrichments, ...same } = max.rows('exa')[index] ?? {};
    expect(row).toMatchObject(same);
    expect(row.summary).toBe(row.excerpt);
    expect(row.summary).not.toBe(summary);
    expect(row.enrichments).toEqual(enrichments);
  }
});

test('2.5 fields mode: tier together with fields is refused with a 400', async () => {
  const body = { user_input: { query: QUERY }, search: { fields: ['url'], tier: 'default' } };
  const { status, json } = await server().search(body);
  expect(status).toBe(400);
  expect(json).toEqual({ detail: expect.stringContaining('tier') });
  expect(server().sandbox.calls).toEqual([]);
});
