import { describe, expect, test } from 'vitest';
import { useStubFor } from './support/fetched-pages.ts';
import { search, useServer } from './support/search-runs.ts';

const only = (slug: string, more: object = {}) => ({ providers: { include: [slug] }, ...more });

describe('linkup with images', () => {
  const stub = useStubFor('linkup');
  /** Text and image items in turn, as many as requested. */
  const mixed = (body: string) => {
    const { maxResults } = JSON.parse(body);
    const results = Array.from({ length: Math.min(maxResults, 24) }, (_, index) => {
      const name = `Item ${index}`;
      const url = `https://a.example/${index}`;
      return index % 2 === 0
        ? { type: 'text', name, url, content: 'A text.', favicon: '' }
        : { type: 'image', name, url };
    });
    return { body: { results } };
  };
  const servers = useServer();

  test.each([
    ['tier max', { tier: 'max' }],
    ['verticals by name', { fields: ['url', 'verticals'] }],
    [
      'images through provider_overrides',
      { provider_overrides: { linkup: { includeImages: true } } },
    ],
  ])('2.3 linkup: images do not take the place of rows: %s', async (_title, block) => {
    stub().respond(({ body }) => mixed(body));
    const found = await search(stub(), 'tides', only('linkup', { num_results: 5, ...block }));
    expect(found.rows('linkup').map(({ url }) => url)).toEqual(
      [0, 2, 4, 6, 8].map((index) => `https://a.example/${index}`),
    );
  });

  test('2.3 linkup: with fewer results than requested, all rows and the images are returned', async () => {
    stub().respond(() => ({
      body: {
        results: [
          { type: 'image', name: 'Dam', url: 'https://a.example/dam.png' },
          { type: 'text', name: 'Tides', url: 'https://a.example/t', content: 'x', favicon: '' },
        ],
      },
    }));
    const found = await search(stub(), 'tides', only('linkup', { tier: 'max' }));
    expect(found.rows('linkup')).toHaveLength(1);
    expect(found.output('linkup').verticals).toEqual({
      images: [{ type: 'image', name: 'Dam', url: 'https://a.example/dam.png' }],
    });
  });

  test('2.3 linkup: without images exactly num_results is asked for', async () => {
    stub().respond(({ body }) => mixed(body));
    await search(stub(), 'tides', only('linkup', { num_results: 7 }));
    expect(JSON.parse(stub().received[0]?.body ?? '{}')).toMatchObject({ maxResults: 7 });
  });

  test('2.3 linkup: the sandbox also mixes in images, and all rows are returned', async () => {
    const block = only('linkup', { tier: 'max', num_results: 20 });
    const found = await search(servers(), 'tidal power', block);
    expect(found.rows('linkup')).toHaveLength(20);
  });
});

describe('seltz', () => {
  const stub = useStubFor('seltz');

  test.each([[{}], [{ documents: null }], [{ documents: [] }]])(
    '2.3 seltz: %j is an answer without rows',
    async (body) => {
      stub().respond(() => ({ body }));
      const found = await search(stub(), 'tides', only('seltz'));
      expect([found.answer.status, found.rows('seltz')]).toEqual(['succeeded', []]);
    },
  );

  test('4.1 seltz: an error without documents is a failed run', async () => {
    stub().respond(() => ({ body: { error: 'busy' } }));
    const found = await search(stub(), 'tides', only('seltz'));
    expect(found.error('seltz')).toMatchObject({ code: 'bad_response', http_status: 200 });
  });
});

describe('searxng', () => {
  const stub = useStubFor('searxng');
  const empty = {
    query: 'tides',
    number_of_results: 0,
    results: [],
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
  };

  test('4.1 searxng: no rows while engines do not answer is a failed run that names them', async () => {
    const unresponsive_engines = [
      ['brave', 'Suspended: too many requests'],
      ['duckduckgo', 'CAPTCHA'],
    ];
    stub().respond(() => ({ body: { ...empty, unresponsive_engines } }));
    const block = only('searxng', { include_raw: true });
    const found = await search(stub(), 'tides', block);
    expect(found.error('searxng')).toMatchObject({
      code: 'upstream_error',
      http_status: 200,
      retryable: true,
      message:
        'searxng found nothing while engines of the instance did not answer: brave, duckduckgo (HTTP 200): try again later, or check these engines on the instance',
    });
    expect(found.run('searxng').raw_payload).toMatchObject({ unresponsive_engines });
    expect(stub().received).toHaveLength(1);
  });

  test('4.1 searxng: no results from engines that all answered is a success', async () => {
    stub().respond(() => ({ body: { ...empty, unresponsive_engines: [] } }));
    const found = await search(stub(), 'tides', only('searxng'));
    expect([found.answer.status, found.rows('searxng')]).toEqual(['succeeded', []]);
  });

  test('4.1 searxng: rows are returned although some engines did not answer', async () => {
    const results = [{ url: 'https://a.example/', title: 'Tides' }];
    stub().respond(() => ({
      body: { query: 'tides', results, unresponsive_engines: [['bing', 'timeout']] },
    }));
    const found = await search(stub(), 'tides', only('searxng'));
    expect(found.rows('searxng')).toMatchObject([{ title: 'Tides' }]);
  });

  test('4.1 searxng: for an instance that only offers HTML, the message says what to change', async () => {
    stub().respond(() => ({ status: 403, body: '<!doctype html><title>403 Forbidden</title>' }));
    const found = await search(stub(), 'tides', only('searxng'));
    expect(found.error('searxng')).toMatchObject({ code: 'bad_request', http_status: 403 });
    expect(found.error('searxng').message).toContain('search.formats');
  });
});

describe('remedies', () => {
  const noAddress = useServer({ env: { SEARXNG_BASE_URL: undefined } });
  const stub = useStubFor('exa');

  test('4.1 searxng without an address: the message names its setting, not a key', async () => {
    const found = await search(noAddress(), 'tides', only('searxng'));
    expect(found.error('searxng')).toMatchObject({
      code: 'missing_credential',
      message:
        'searxng has no address (SEARXNG_BASE_URL is not set): set SEARXNG_BASE_URL in the server settings',
    });
  });

  test.each([
    [
      'with overrides they come first',
      { type: 'nope' },
      'check its block of search.provider_overrides',
    ],
    ['without overrides they are not named', undefined, 'check the query or URL'],
  ])('4.1 a refused request: %s', async (_title, exa, remedy) => {
    stub().respond(() => ({ status: 400, body: { error: 'x', tag: 'INVALID_REQUEST' } }));
    const block = only('exa', exa ? { provider_overrides: { exa } } : {});
    const { message } = (await search(stub(), 'tides', block)).error('exa');
    expect(message).toContain(`refused the request (HTTP 400): ${remedy}`);
    expect(message.includes('provider_overrides')).toBe(exa !== undefined);
  });
});
