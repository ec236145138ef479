import { startSite } from '@trawl/sandbox';
import { afterAll, describe, expect, test } from 'vitest';
import { fetchPages, ledgerOf, pageAt } from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const site = await startSite();
const host = new URL(site.url).host;
const other = new URL(site.otherUrl).host;
const allowing = useServer({ env: { FETCH_ALLOW_PRIVATE_HOSTS: host } });
afterAll(() => site.stop());

const PRIVATE = [
  ...['http://127.0.0.1/', 'http://127.9.9.9:8080/a', 'http://10.0.0.1/', 'http://172.16.5.4/'],
  ...['http://192.168.1.1/', 'http://169.254.169.254/latest/meta-data/', 'http://0.0.0.0/'],
  ...['http://100.64.0.1/', 'http://[::1]/', 'http://[fd00::1]/', 'http://[fe80::1]/'],
  ...['http://[::ffff:127.0.0.1]/', 'http://[::]/', 'http://2130706434/', 'http://0x7f.3/'],
  ...['http://localhost/', 'http://LOCALHOST:3000/', 'http://a.localhost/', 'http://mill.local/'],
  ...['http://db.internal/', 'http://intranet/', 'http://localhost.:81/', 'http://tide.local./'],
];

describe('2.9 private addresses', () => {
  test('2.9 rule 1: each is a failed row with forbidden_address, and no provider is asked', async () => {
    const { rows, answer } = await fetchPages(server(), PRIVATE.slice(0, 12), { tier: 'max' });
    const more = await fetchPages(server(), PRIVATE.slice(12), { tier: 'max' });
    for (const row of [...rows, ...more.rows]) {
      expect(row.error?.code, row.url).toBe('forbidden_address');
      expect(row.error).toMatchObject({ retryable: false, attempts: 0 });
      expect([row.http_status, row.content, row.provider_chain]).toEqual([null, null, []]);
    }
    expect(server().sandbox.calls).toHaveLength(0);
    for (const line of await ledgerOf(server(), answer.interaction_id))
      expect(line).toMatch(/ 0 failed$/);
  });

  test('2.9 rule 1: the other URLs of the request are fetched', async () => {
    const { rows } = await fetchPages(server(), ['http://10.0.0.1/', pageAt()]);
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  test('2.9 rule 1: a public literal address is allowed', async () => {
    const options = { providers: ['tinyfish', 'tavily'] };
    const { row } = await fetchPages(server(), 'http://93.184.215.14/', options);
    expect(row.error.code).not.toBe('forbidden_address');
    expect(server().sandbox.calls).toHaveLength(2);
  });

  test('2.9 rule 1: direct refuses a private address even if it is pinned', async () => {
    const { row } = await fetchPages(server(), `${site.url}/article`, { providers: ['direct'] });
    expect(row.error.code).toBe('forbidden_address');
    expect(site.requests).toHaveLength(0);
  });

  test('2.9 rule 1: direct refuses a port that browsers block', async () => {
    const url = 'https://news.example.com:25/';
    const { row } = await fetchPages(server(), url, { providers: ['direct'] });
    expect(row.error.code).toBe('forbidden_address');
  });
});

describe('2.9 FETCH_ALLOW_PRIVATE_HOSTS', () => {
  test('2.9 rule 1: direct fetches addresses that the operator names', async () => {
    const { row } = await fetchPages(allowing(), `${site.url}/article`, {
      providers: ['direct'],
      tier: 'max',
    });
    expect(row).toMatchObject({
      status: 'succeeded',
      provider: 'direct',
      http_status: 200,
      cache_state: 'miss',
      js_rendered: false,
    });
    expect(row.title).toContain('tide mill');
    expect(allowing().sandbox.calls).toHaveLength(0);
  });

  test('2.9 rule 1: only that port, not the rest of the machine', async () => {
    const urls = [
      `http://${other}/`,
      'http://127.0.0.1/',
      `http://127.0.0.2:${new URL(site.url).port}/`,
    ];
    const { rows } = await fetchPages(allowing(), urls, { providers: ['direct'] });
    for (const row of rows) expect(row.error?.code, row.url).toBe('forbidden_address');
    expect(site.otherRequests).toHaveLength(0);
  });

  test('2.9 rule 7: direct honours both formats', async () => {
    for (const content_format of ['markdown', 'text'] as const) {
      const options = { providers: ['direct'], content_format };
      const { row } = await fetchPages(allowing(), `${site.url}/article`, options);
      expect(row.content_format).toBe(content_format);
      expect(/^## Pictures/m.test(row.content)).toBe(content_format === 'markdown');
      expect(row.warnings.some(({ message }: { message: string }) => /format/.test(message))).toBe(
        false,
      );
    }
  });

  test.each([
    ['/not-found', 'not_found', 404],
    ['/gone', 'not_found', 410],
    ['/server-error', 'target_error', 500],
    ['/bot-check', 'blocked', 403],
    ['/bot-check-200', 'blocked', 200],
    ['/paywall', 'paywall', 200],
    ['/payment-required', 'payment_required', 402],
    ['/sign-in', 'paywall', 401],
    ['/shell', 'empty_page', 200],
    ['/consent', expect.any(String), 200],
    ['/soft-404', 'not_found', 200],
    ['/empty-body', 'empty_page', 200],
    ['/no-content', 'empty_page', 204],
  ])('2.9 rule 1: direct on %s is not a page', async (path, code, status) => {
    const options = { providers: ['direct'] };
    const { row } = await fetchPages(allowing(), `${site.url}${path}`, options);
    expect([row.status, row.error?.code, row.http_status]).toEqual(['failed', code, status]);
  });

  test.each(['/short', '/consent-and-text', '/second-hand', '/untitled', '/link-list'])(
    '2.9 rule 1: direct on %s: a page is a page',
    async (path) => {
      const options = { providers: ['direct'] };
      const { row } = await fetchPages(allowing(), `${site.url}${path}`, options);
      expect([row.status, row.error]).toEqual(['succeeded', null]);
    },
  );
});
