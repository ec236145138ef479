import { byForm } from '@trawl/test-support/form';
import { describe, expect, test } from 'vitest';
import {
  calledBy,
  codesOf,
  fetchPages,
  pageAt,
  saidOf,
  stepsOf,
  VENDORS,
} from './support/fetch-tables.ts';
import { useStubFor } from './support/fetched-pages.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const EXTENDED = { tier: 'extended' } as const;

describe('2.9 rule 1: a site that answers one provider with a 404', () => {
  const stub = useStubFor('firecrawl');

  test('2.9 rule 1: the page of the next one is the page', async () => {
    const metadata = { statusCode: 404, title: 'Not found' };
    stub().respond(() => ({ body: { success: true, data: { markdown: 'No bots.', metadata } } }));
    const { row } = await fetchPages(stub(), pageAt(), {
      ...EXTENDED,
      providers: ['firecrawl', 'exa'],
    });
    expect([row.status, row.provider]).toEqual(['succeeded', 'exa']);
    expect(stepsOf(row)).toEqual(['firecrawl failed not_found', 'exa answered']);
  });
});

describe('2.9 rule 1: statuses of the target', () => {
  test.each([
    ['missing', 404],
    ['gone', 410],
  ])('2.9 rule 1: /%s: a %i ends the chain after one more provider', async (word, status) => {
    const providers = ['firecrawl', 'exa', 'jina'];
    const { row } = await fetchPages(server(), pageAt(word), { ...EXTENDED, providers });
    expect(row).toMatchObject({
      status: 'failed',
      http_status: status,
      provider: 'firecrawl',
      error: { code: 'not_found', provider: 'firecrawl', retryable: false, attempts: 2 },
    });
    expect(stepsOf(row)).toEqual(['firecrawl failed not_found', 'exa failed not_found']);
    expect(calledBy(server())).toEqual(['firecrawl', 'exa']);
  });

  test('2.9 rule 1: a reason of the provider is not the status of the target: the chain moves on', async () => {
    const { row } = await fetchPages(server(), pageAt('missing'), EXTENDED);
    expect(stepsOf(row)).toEqual([
      'tinyfish failed not_found',
      'firecrawl failed not_found',
      'parallel failed not_found',
    ]);
    expect(saidOf(row, 'provider_error')[0]).toMatch(/tinyfish.*page_not_found/);
  });

  test('2.9 rule 1: after a 404, any failure of the next provider ends the chain', async () => {
    const url = pageAt('missing', '[[exa:status=500]]');
    const { row } = await fetchPages(server(), url, { providers: ['firecrawl', 'exa', 'jina'] });
    expect(row).toMatchObject({ http_status: 404, error: { code: 'not_found', attempts: 2 } });
    expect(calledBy(server())).toEqual(['firecrawl', 'exa']);
  });

  test.each([
    ['firecrawl', 'missing', 404, 'does not exist'],
    ['firecrawl', 'gone', 410, 'removed for good'],
    ['jina', 'missing', 404, 'does not exist'],
    ['jina', 'gone', 410, 'removed for good'],
  ])('2.9 rule 1: %s, /%s: text that came with a %i is kept', async (name, word, status, text) => {
    const options = { ...EXTENDED, providers: [name, 'exa'] };
    const { row } = await fetchPages(server(), pageAt(word), options);
    expect(row).toMatchObject({
      status: 'failed',
      http_status: status,
      error: { code: 'not_found' },
    });
    expect(row.content).toContain(text);
    expect(row.content_length).toBe([...row.content].length);
    expect(calledBy(server())).toEqual([name, 'exa']);
  });

  test('2.9 rule 1: kept text of a failed row is capped like any other, but not marked as truncated', async () => {
    const options = { providers: ['firecrawl'], inline_max_chars: 10 };
    const { row } = await fetchPages(server(), pageAt('missing'), options);
    expect([...row.content].length).toBeLessThanOrEqual(10);
    expect(row.truncated).toBe(false);
  });

  test.each([
    ['blocked', 'blocked', 403],
    ['error', 'target_error', 500],
  ])(
    '2.9 rule 1: /%s: the chain moves on to the end; the row says %s',
    async (word, code, status) => {
      const { row } = await fetchPages(server(), pageAt(word), EXTENDED);
      expect(row).toMatchObject({
        status: 'failed',
        http_status: status,
        content: null,
        error: { code, provider: 'tinyfish', attempts: 9 },
      });
      expect(calledBy(server())).toEqual(VENDORS);
    },
  );

  test.each([
    ['empty', 'empty_page'],
    ['shell', 'empty_page'],
    ['consent', null],
    ['paywall', 'paywall'],
    ['base64', null],
    ['mojibake', null],
    ['unknown-host', null],
    ['slow', 'timeout'],
    ['too-large', null],
    ['archive', null],
  ])('2.9 rule 1: /%s: the chain moves on, and the row is failed', async (word, code) => {
    const { row } = await fetchPages(server(), pageAt(word), EXTENDED);
    expect(row.status).toBe('failed');
    expect(row.content).toBeNull();
    expect(stepsOf(row)).toHaveLength(9);
    if (code !== null) expect(row.error.code).toBe(code);
  });

  const NO_PAGES = [
    ...['missing', 'gone', 'blocked', 'error', 'unknown-host', 'too-large', 'archive'],
    ...['empty', 'shell', 'consent', 'soft-404', 'paywall', 'mojibake', 'base64'],
  ];
  test.each(NO_PAGES)('2.9 rule 1: /%s is not a page, with any provider', async (word) => {
    const asked = VENDORS.map(async (name) => {
      const urls = Array.from({ length: byForm({ small: 2, full: 6 }) }, () => pageAt(word));
      const { rows } = await fetchPages(server(), urls, { providers: [name] });
      return [name, rows.filter(({ status }) => status === 'succeeded').map(({ url }) => url)];
    });
    expect(await Promise.all(asked)).toEqual(VENDORS.map((name) => [name, []]));
  });

  test('2.9 rule 1: a soft 404 is not_found, but not final: the chain moves on', async () => {
    const { row } = await fetchPages(server(), pageAt('soft-404'), EXTENDED);
    expect([row.status, row.error?.code]).toEqual(['failed', 'not_found']);
    expect(stepsOf(row)).toHaveLength(9);
  });

  test.each(VENDORS)('2.9 rule 1: %s: a short page is a page', async (name) => {
    const { row } = await fetchPages(server(), pageAt('short'), { providers: [name] });
    expect([row.status, row.error]).toEqual(['succeeded', null]);
    expect(row.content).toContain('closed on Monday');
  });

  test.each(['', 'untitled', 'relative', 'long', 'pdf'])(
    '2.9 rule 1: /%s: it is a page, with any provider',
    async (word) => {
      const asked = VENDORS.map(async (name) => {
        const { row } = await fetchPages(server(), pageAt(word), { providers: [name] });
        return [name, row.status, row.provider];
      });
      expect(await Promise.all(asked)).toEqual(VENDORS.map((name) => [name, 'succeeded', name]));
    },
  );

  test('2.9 rule 1: an empty answer of one provider lets the next one answer', async () => {
    const url = pageAt('', '[[tinyfish:empty]]');
    const { row } = await fetchPages(server(), url, EXTENDED);
    expect([row.status, row.provider]).toEqual(['succeeded', 'firecrawl']);
    expect(codesOf(row)).toContain('provider_error');
  });
});

describe('2.9 the provider of the diagnosis', () => {
  test('2.9 rule 1: the first verdict with a status wins over earlier ones without', async () => {
    const options = { ...EXTENDED, providers: ['tavily', 'linkup', 'exa', 'tinyfish'] };
    const { row } = await fetchPages(server(), pageAt('blocked'), options);
    expect(row).toMatchObject({
      provider: 'exa',
      http_status: 403,
      error: { code: 'blocked', provider: 'exa', attempts: 4 },
    });
  });

  test('2.9 rule 1: without a status the first verdict wins, also over failures of providers', async () => {
    const url = pageAt('error', '[[parallel:status=503]] [[you:status=503]]');
    const options = { ...EXTENDED, providers: ['parallel', 'linkup', 'tavily', 'you'] };
    const { row } = await fetchPages(server(), url, options);
    expect(row).toMatchObject({ provider: 'linkup', http_status: null, error: { attempts: 4 } });
  });

  test('2.9 rule 1: without any verdict the last attempt wins; its own status is not the status of the page', async () => {
    const url = pageAt('', '[[tinyfish:status=503]] [[*:status=429]]');
    const { row } = await fetchPages(server(), [url, pageAt('missing')], {
      providers: ['tinyfish', 'exa', 'tavily'],
    });
    expect(row).toMatchObject({
      provider: 'tavily',
      http_status: null,
      error: { code: 'rate_limited', provider: 'tavily', retryable: true, attempts: 3 },
    });
  });

  test('2.9 rule 1: jina’s target errors are upstream_error, with the upstream status', async () => {
    const { row } = await fetchPages(server(), pageAt('blocked'), { providers: ['jina'] });
    expect([row.http_status, row.error.code]).toEqual([403, 'blocked']);
    expect(codesOf(row)).toEqual(['upstream_error']);
    expect(saidOf(row, 'upstream_error')[0]).toMatch(/jina.*403/);
  });
});
