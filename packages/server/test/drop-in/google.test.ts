import { DROP_INS } from '@trawl/drop-ins';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { DEFAULT_SEARCH_PROVIDERS: 'exa,brave' } });
});
afterAll(() => server.stop());

const GOOGLE = DROP_INS.find(({ slug }) => slug === 'google');
const PATH = '/compat/google/customsearch/v1';

/** As its clients send it: everything, the key too, is in the address. */
const list = (
  parameters: Readonly<Record<string, string>>,
  { path = PATH, key = server.key as string | null } = {},
) => {
  const query = new URLSearchParams({ ...(key === null ? {} : { key }), ...parameters });
  return server.call('GET', `${path}?${query}`, { key: null });
};

const fault = (code: number, status: string, error: object, more: object = {}) => ({
  error: {
    code,
    status,
    message: expect.any(String),
    errors: [{ message: expect.any(String), domain: 'global', ...error }],
    ...more,
  },
});

describe('a list', () => {
  test('has the members of the vendor and no others', async () => {
    const { status, json, headers } = await list({ q: 'tidal power', cx: 'any', num: '3' });
    expect([status, headers.get('x-trawl-ignored')]).toEqual([200, null]);
    const { items, ...rest } = json;
    const request = {
      title: 'Google Custom Search - tidal power',
      totalResults: expect.stringMatching(/^\d+$/),
      searchTerms: 'tidal power',
      inputEncoding: 'utf8',
      outputEncoding: 'utf8',
      safe: 'off',
      cx: 'any',
    };
    const total = Number(json.searchInformation.totalResults);
    expect(rest).toEqual({
      kind: 'customsearch#search',
      url: { type: 'application/json', template: expect.stringContaining('{searchTerms}') },
      queries: {
        request: [{ ...request, count: 3, startIndex: 1 }],
        nextPage: [{ ...request, count: Math.min(3, total - 3), startIndex: 4 }],
      },
      context: { title: expect.any(String) },
      searchInformation: {
        searchTime: expect.any(Number),
        formattedSearchTime: expect.stringMatching(/^\d+\.\d\d$/),
        totalResults: String(total),
        formattedTotalResults: String(total),
      },
    });
    expect(items).toHaveLength(3);
    for (const item of items) {
      const { pagemap: _, ...texts } = item;
      expect(texts).toEqual({
        kind: 'customsearch#result',
        title: expect.any(String),
        htmlTitle: expect.any(String),
        link: expect.stringMatching(/^https?:/),
        displayLink: new URL(item.link).hostname,
        snippet: expect.stringMatching(/./),
        htmlSnippet: expect.stringMatching(/./),
        formattedUrl: item.link,
        htmlFormattedUrl: item.link.replaceAll('&', '&amp;'),
      });
    }
    const { metadata } = await recorded(server, headers.get('x-interaction-id') ?? '');
    expect(metadata).toEqual({ compat: 'google' });
  });

  test('reads filters and terms as the vendor does', async () => {
    const { status, headers } = await list({
      q: 'tides',
      num: '50',
      lr: 'lang_iw|lang_de',
      hl: 'fr',
      gl: 'il',
      safe: 'medium',
      dateRestrict: 'm2',
      siteSearch: 'https://example.org/a',
      siteSearchFilter: 'e',
      exactTerms: 'spring tide',
      orTerms: 'moon sun',
      excludeTerms: 'wave surf',
      hq: 'harbour',
      fileType: 'pdf',
      sort: 'date',
      imgSize: 'LARGE',
      fields: 'items(title,link)',
      nonsense: '1',
    });
    expect([status, headers.get('x-trawl-ignored')]).toEqual([200, 'nonsense']);
    const { preprocessor_runs: runs } = await recorded(
      server,
      headers.get('x-interaction-id') ?? '',
    );
    const [run] = runs;
    expect(run.query).toBe('tides harbour "spring tide" (moon OR sun) -wave -surf filetype:pdf');
    expect(Object.keys(run.output_payload.filters).sort()).toEqual([
      'country',
      'exclude_domains',
      'language',
      'published_after',
      'safe_search',
    ]);
    expect(run.request_payload.body.numResults).toBe(10);
  });

  test('has a second page, and no third', async () => {
    const first = await list({ q: 'tides' });
    const second = await list({ q: 'tides', start: '11' });
    const third = await list({ q: 'tides', start: '21' });
    const links = ({ json }: typeof first) =>
      (json.items ?? []).map(({ link }: { link: string }) => link);
    expect([links(first).length, links(second).length]).toEqual([10, 10]);
    expect(links(second).filter((link: string) => links(first).includes(link))).toEqual([]);
    expect(second.json.queries).toMatchObject({
      previousPage: [{ startIndex: 1, count: 10 }],
      request: [{ startIndex: 11, count: 10 }],
    });
    expect(Object.keys(second.json.queries)).not.toContain('nextPage');
    expect([third.status, Object.keys(third.json).includes('items')]).toEqual([200, false]);
    expect(third.json.queries.request[0]).toMatchObject({ startIndex: 21, count: 0 });
    // nothing was asked for it
    expect(third.headers.get('x-interaction-id')).toBeNull();
  });

  test.each([
    '/compat/google/customsearch/v1/siterestrict',
    '/customsearch/v1',
    '/customsearch/v1/siterestrict',
  ])('is at %s too', async (path) => {
    const { status, json } = await list({ q: 'tides', num: '1' }, { path });
    expect([status, json.kind, json.items.length]).toEqual([200, 'customsearch#search', 1]);
  });
});

describe('a date', () => {
  test.each([
    ['d10', '2026-11-18'],
    ['w', '2026-11-21'],
    ['m2', '2026-09-29'],
    ['y1', '2025-11-28'],
    ['y9999', '1926-12-23'],
  ])('of dateRestrict %s begins on %s', (dateRestrict, day) => {
    const [route] = GOOGLE?.routes ?? [];
    expect(route?.prepare({ q: 'a', dateRestrict }, '2026-11-28')).toMatchObject({
      ask: { filters: { published_after: day } },
    });
  });
});

describe('refuses as the vendor does', () => {
  test.each<[Record<string, string>, string, RegExp]>([
    [{}, 'q', /a value is required/],
    [{ q: 'a', num: '0' }, 'num', /1/],
    [{ q: 'a', start: '0' }, 'start', /1/],
    [{ q: 'a', start: '92' }, 'start', /100th row/],
    [{ q: 'a', start: '101' }, 'start', /100th row/],
    [{ q: 'a', searchType: 'image' }, 'searchType', /image search is not served/],
    [{ q: 'a', dateRestrict: 'yesterday' }, 'dateRestrict', /d10/],
    [{ q: 'a', lr: 'german' }, 'lr', /lang_de/],
    [{ q: 'a', alt: 'xml' }, 'alt', /JSON/],
    [{ q: 'a', callback: 'show' }, 'callback', /not available/],
  ])('%j', async (parameters, location, message) => {
    const { status, json } = await list(parameters);
    expect([status, json]).toEqual([
      400,
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'Request contains an invalid argument.',
          errors: [
            {
              message: expect.stringMatching(message),
              domain: 'global',
              reason: 'badRequest',
              location,
              locationType: 'parameter',
            },
          ],
        },
      },
    ]);
  });

  test('a filter that cannot be one', async () => {
    const { status, json } = await list({ q: 'a', gl: 'Atlantis' });
    expect([status, json.error.errors[0].message]).toEqual([400, expect.stringMatching(/^gl: /)]);
  });

  test('a wrong key, and none', async () => {
    const wrong = await list({ q: 'a' }, { key: 'tk_wrong' });
    const none = await list({ q: 'a' }, { key: null });
    expect([wrong.status, wrong.json]).toEqual([
      400,
      fault(400, 'INVALID_ARGUMENT', { reason: 'badRequest' }, { details: [expect.any(Object)] }),
    ]);
    expect(wrong.json.error.message).toMatch(/^API key not valid/);
    expect([none.status, none.json]).toEqual([
      403,
      fault(403, 'PERMISSION_DENIED', { reason: 'forbidden' }),
    ]);
  });

  test('a used-up budget, which its clients do not repeat', async () => {
    const { key, id } = await server.makeKey('google-poor');
    await server.server.store.keys.changeKey(id, { monthlyBudgetMicros: 0 });
    const { status, json } = await list({ q: 'a' }, { key });
    expect([status, json.error.errors[0]]).toEqual([
      403,
      expect.objectContaining({ reason: 'dailyLimitExceeded' }),
    ]);
  });

  test('providers that failed: 503 only if nothing was sent to them', async () => {
    const asked = await list({ q: '[[*:status=500]] tides' });
    expect([asked.status, asked.json.error.status]).toEqual([409, 'ABORTED']);
    const unsent = GOOGLE?.fault({ status: 502, message: 'x', requestId: 'x' });
    expect(unsent).toMatchObject({ status: 503, body: { error: { status: 'UNAVAILABLE' } } });
  });
});

describe('a key in the address', () => {
  test('is accepted on these routes only', async () => {
    for (const path of ['/v1/sessions', '/compat/brave/res/v1/web/search', '/compat/jina/']) {
      const { status } = await server.call('GET', `${path}?q=a&key=${server.key}`, { key: null });
      expect([path, [401, 422].includes(status)]).toEqual([path, true]);
    }
  });

  test('is in no log, error, record, header or address of a page', async () => {
    const answers = [
      await list({ q: 'tides' }),
      await list({ q: 'tides', num: '0' }),
      await list({ q: 'tides' }, { path: '/compat/google/nowhere' }),
      await list({ q: 'tides' }, { path: '/customsearch/v1' }),
      await server.call('GET', `${PATH}?q=a&key=${server.key}&key=${server.key}`, { key: null }),
    ];
    const [good] = answers;
    const read = await recorded(server, answers[3]?.headers.get('x-interaction-id') ?? '');
    const shown = JSON.stringify([
      ...answers.map(({ text, headers }) => [text, [...headers]]),
      read,
      server.sandbox.calls,
      server.logged(),
    ]);
    expect([good?.status, shown.includes(server.key)]).toEqual([200, false]);
  });
});
