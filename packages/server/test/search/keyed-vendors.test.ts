import { SEARCH_PROVIDERS } from '@trawl/providers';
import { describe, expect, test } from 'vitest';
import { search, useServer } from '../spec/support/search-runs.ts';

/** An open source has a key for higher limits only. */
const KEYED = SEARCH_PROVIDERS.filter(
  ({ credentialVariables, open }) => credentialVariables.length > 0 && open === undefined,
);
const SLUGS = KEYED.map(({ slug }) => slug);

const withKey = (key: string) =>
  Object.fromEntries(
    KEYED.flatMap(({ credentialVariables: [name] }) => (name ? [[name, key]] : [])),
  );

describe.each([
  ['a key that it does not know', 'bad-key-7Qm4x', 'invalid_credential'],
  ['a key without credit', 'quota-key-7Qm4x', 'quota_exhausted'],
])('a vendor with %s', (_title, key, code) => {
  const server = useServer({ env: withKey(key) });

  test.each(SLUGS)('is understood: %s', async (slug) => {
    const found = await search(server(), 'tidal power', { providers: { include: [slug] } });
    expect(found.error(slug).code).toBe(code);
    expect(found.text).not.toContain('7Qm4x');
    expect(server().logged()).not.toContain('7Qm4x');
  });
});

describe('a vendor with a good key', () => {
  const server = useServer();

  test.each(SLUGS)('gets the key where it wants it, and no record has it: %s', async (slug) => {
    const query = `tidal power [[${slug}:echo-key]]`;
    const options = { providers: { include: [slug] }, tier: 'max', include_raw: true } as const;
    const found = await search(server(), query, options);
    expect(found.rows(slug).length).toBeGreaterThan(0);
    expect(server().sandbox.calls.at(-1)?.vendor).toBe(slug);
    // the one retry comes at once
    const fault = 'status=500,retry-after=0';
    const failed = await search(server(), `tidal power [[${slug}:echo-key,${fault}]]`, options);
    expect(failed.run(slug).status).toBe('failed');
    expect(server().logged()).not.toContain('5fJ2');
  });

  // a parameter that it cannot read is a 503 of mojeek, as its documents say
  test.each(SLUGS)('refuses a parameter that its documents do not have: %s', async (slug) => {
    const found = await search(server(), 'tidal power', {
      providers: { include: [slug] },
      provider_overrides: { [slug]: { not_a_parameter: 'x' } },
    });
    expect(found.error(slug).code).toBe(slug === 'mojeek' ? 'upstream_error' : 'bad_request');
  });

  test('comes before one whose key was for fetches only, and the start names that key', () => {
    const late = KEYED.filter(({ usesFetchKey }) => usesFetchKey).map(({ slug }) => slug);
    expect(late).toEqual(['firecrawl', 'jina', 'brightdata']);
    expect(SLUGS.slice(-late.length)).toEqual(late);
    expect(server().logged()).toContain(
      'FIRECRAWL_API_KEY, JINA_API_KEY, BRIGHTDATA_API_KEY are used for searches too',
    );
  });
});

describe('settings of a search only', () => {
  const server = useServer({ env: { BRIGHTDATA_SERP_ZONE: undefined, JINA_API_KEY: undefined } });

  test('brightdata without a zone is not set up, and says what is missing', async () => {
    const found = await search(server(), 'tides', { providers: { include: ['brightdata'] } });
    const { code, message } = found.error('brightdata');
    expect([code, message]).toEqual([
      'missing_credential',
      expect.stringContaining('BRIGHTDATA_SERP_ZONE'),
    ]);
    const { json } = await server().call('GET', '/v1/preprocessors', { key: null });
    const entry = json.preprocessors.find(({ slug }: { slug: string }) => slug === 'brightdata');
    expect(entry.configured).toBe(false);
    expect(server().sandbox.calls).toEqual([]);
  });

  test('jina needs a key to search, although its reader needs none', async () => {
    const found = await search(server(), 'tides', { providers: { include: ['jina'] } });
    expect(found.error('jina').code).toBe('missing_credential');
  });
});

describe('an address of searches only', () => {
  const server = useServer({
    env: { JINA_SEARCH_BASE_URL: 'http://127.0.0.1:9/search', JINA_TIMEOUT_MS: '2000' },
  });

  test('jina is searched there, and its reader keeps the other one', async () => {
    const found = await search(server(), 'tides', { providers: { include: ['jina'] } });
    expect(found.run('jina').request_payload.url).toBe('http://127.0.0.1:9/search/');
    expect(found.error('jina').code).toBe('network_error');
    const body = { urls: ['https://www.example.com/a'], options: { providers: ['jina'] } };
    expect((await server().fetch(body)).status).toBe(200);
  });
});
