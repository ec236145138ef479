import { describe, expect, test } from 'vitest';
import {
  fetchPages,
  fieldsOf,
  PROVIDERS,
  pageAt,
  type Row,
  TIERS,
  VENDORS,
} from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
/** 2.9 rule 4: the service sets these itself. */
const OWN = [
  ...['provider', 'provider_chain', 'content_length', 'content_sha256', 'latency_ms', 'quality'],
  'findings',
];

describe('2.8 fields of a tier', () => {
  test.each(TIERS)('2.8 tier %s: every row has exactly its fields, for any page', async (tier) => {
    const urls = [
      pageAt(),
      pageAt('missing'),
      pageAt('blocked'),
      pageAt('', '[[*:status=503]]'),
      'http://127.0.0.1/',
    ];
    const { rows } = await fetchPages(server(), urls, { tier });
    expect(rows.map(({ status }) => status)).toEqual([
      'succeeded',
      ...['failed', 'failed', 'failed', 'failed'],
    ]);
    for (const row of rows) expect(Object.keys(row).sort()).toEqual(fieldsOf(tier).sort());
  });

  test.each(TIERS)(
    '2.8 tier %s: without inline content only `content` is missing',
    async (tier) => {
      const urls = [pageAt(), pageAt('missing')];
      const { rows } = await fetchPages(server(), urls, { tier, inline_content: false });
      const fields = fieldsOf(tier).filter((name) => name !== 'content');
      for (const row of rows) expect(Object.keys(row).sort()).toEqual(fields.sort());
    },
  );

  test.each(PROVIDERS)('2.8 the fields are the same from %s', async (name) => {
    const url = name === 'brightdata' ? 'https://www.linkedin.com/company/tide-works' : pageAt();
    const shapes = TIERS.map(async (tier) => {
      const { row } = await fetchPages(server(), url, { tier, providers: [name] });
      expect(Object.keys(row).sort()).toEqual(fieldsOf(tier).sort());
    });
    await Promise.all(shapes);
  });

  test('2.8 without a tier the default tier is used', async () => {
    const { row, run } = await fetchPages(server(), pageAt());
    expect(Object.keys(row).sort()).toEqual(fieldsOf('default').sort());
    expect(run.request_payload.options.tier).toBe('default');
  });

  test('2.8 a failed row has no facts of the page: null or an empty list', async () => {
    const { row } = await fetchPages(server(), pageAt('', '[[*:status=503]]'), { tier: 'max' });
    const own = ['url', 'status', 'error', 'provider', 'latency_ms', 'warnings', 'warning'];
    for (const [name, value] of Object.entries<Row>(row)) {
      if ([...own, 'truncated', 'provider_chain'].includes(name)) continue;
      const known = Array.isArray(value) ? value.length > 0 : value !== null;
      expect(name === 'enrichments' ? value : known, name).toEqual(
        name === 'enrichments' ? {} : false,
      );
    }
  });
});

describe('2.9 rule 3: structural nulls', () => {
  test.each(VENDORS)(
    '2.9 rule 3: %s: at most one capability_gap on fields, and each field in it is null',
    async (name) => {
      const { row } = await fetchPages(server(), pageAt(), { tier: 'max', providers: [name] });
      const gaps = row.warnings.filter(
        ({ code, message }: Row) =>
          code === 'capability_gap' && !message.startsWith('content_format:'),
      );
      expect(gaps).toHaveLength(1);
      const names = fieldsOf('max').filter((field) =>
        new RegExp(`(^|[ ;])${field}[,:]`).test(gaps[0].message),
      );
      expect(names).not.toEqual([]);
      for (const field of names) {
        const value = row[field];
        const isEmpty = value === null || Object.keys(value).length === 0;
        expect(isEmpty, `${field}: ${JSON.stringify(value)?.slice(0, 80)}`).toBe(true);
      }
      for (const field of OWN) expect(names).not.toContain(field);
    },
  );

  test('2.9 rule 3: the gap only names fields of the tier', async () => {
    const { row } = await fetchPages(server(), pageAt(), {
      tier: 'minimalist',
      providers: ['tavily'],
    });
    const [gap] = row.warnings.filter(({ code }: Row) => code === 'capability_gap');
    expect(gap.message).toMatch(/http_status/);
    expect(gap.message).not.toMatch(/pdf_mode|description|raw_html|transcript/);
  });

  test('2.9 rule 3: a field outside the tier adds no gap', async () => {
    const all = fieldsOf('max').filter((name) => !fieldsOf('default').includes(name));
    const { row } = await fetchPages(server(), pageAt());
    for (const { message } of row.warnings)
      for (const name of all) expect(message).not.toMatch(new RegExp(`\\b${name}\\b`));
  });
});
