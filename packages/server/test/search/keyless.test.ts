import { PreprocessorRoster } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { NO_KEYS, search, useServer } from '../spec/support/search-runs.ts';

const PAGE = 'https://atlas.example.org/wiki/tides';

type Server = ReturnType<typeof useServer>;

/** No provider has a key; services without one are asked as these settings say. */
const without = (env: Readonly<Record<string, string | undefined>>) => ({
  env: { ...NO_KEYS, KEYLESS_SEARCH: undefined, ...env },
});

const rosterOf = async (server: Server) => {
  const { json } = await server().call('GET', '/v1/preprocessors', { key: null });
  return PreprocessorRoster.parse(json).preprocessors;
};

const runsOf = async (server: Server, block: object = {}, query = 'tidal power') =>
  (await search(server(), query, block)).runs.map((run) => [
    run.preprocessor_name,
    run.error?.code ?? run.status,
  ]);

const named = (...include: readonly string[]) => ({ providers: { include } });

describe('a fresh install on its own machine', () => {
  const server = useServer(without({}));

  test('searches tavily and you without a key, and Wikipedia', async () => {
    const found = await search(server(), 'tidal power', { tier: 'max' });
    expect(found.runs.map((run) => [run.preprocessor_name, run.status])).toEqual([
      ['tavily', 'succeeded'],
      ['you', 'succeeded'],
      ['wikipedia', 'succeeded'],
    ]);
    for (const slug of ['tavily', 'you', 'wikipedia']) {
      expect(found.rows(slug).length).toBeGreaterThan(0);
    }
    expect(found.warnings('you')).toContainEqual(
      expect.stringMatching(
        /^keyless_mode you was asked without a key, .*100 searches a day .*YOU_API_KEY/,
      ),
    );
    expect(found.warnings('wikipedia').join()).not.toContain('keyless_mode');
  });

  test('sends no key and says who it is', async () => {
    await search(server(), 'tidal power');
    const calls = server().sandbox.calls;
    expect(calls.map(({ vendor, path }) => [vendor, path])).toEqual([
      ['tavily', '/search'],
      ['you', '/v1/agents/search'],
      ['wikipedia', '/en/w/api.php'],
    ]);
    for (const { key, headers } of calls) {
      expect(key).toBeUndefined();
      expect(headers['user-agent']).toBe('trawl/0.0.0-test (+operator@example.com)');
    }
    expect(calls[0]?.headers['x-tavily-access-mode']).toBe('keyless');
  });

  test('says so in the roster, with allowance and pace', async () => {
    const roster = await rosterOf(server);
    const entryOf = (slug: string) => roster.find((entry) => entry.slug === slug);
    expect(entryOf('you')).toMatchObject({
      configured: false,
      requires_key: 'optional',
      active_by_default: true,
      data_use: { training: 'unknown', retention: 'unknown' },
      keyless: {
        allowance: '100 searches a day per address',
        pace: { every_ms: 2_000, in_flight: 1, calls: 90, in_seconds: 86_400 },
        runs: 'always',
      },
    });
    expect(entryOf('crossref')).toMatchObject({
      configured: false,
      requires_key: false,
      keyless: { runs: 'always' },
    });
    expect(entryOf('exa')).toMatchObject({ configured: false, requires_key: true });
    expect(entryOf('exa')).not.toHaveProperty('keyless');
  });

  test('costs nothing, and a dry run names the allowance', async () => {
    const body = { user_input: { query: 'tidal power' } };
    const { json } = await server().call('POST', '/v1/search?dry_run=true', { body });
    expect(json.total_usd).toBe(0);
    expect(json.calls[1]).toMatchObject({
      provider: 'you',
      cost_usd: 0,
      cost_kind: 'known',
      allowance: '100 searches a day per address',
      data_use: { training: 'unknown' },
    });
  });

  test('reads pages with tavily and firecrawl without a key, in the order of the chain', async () => {
    const { json } = await server().fetch({ urls: [PAGE] });
    const [row] = json.preprocessor_runs[0].output_payload.fetched_results;
    expect([row.provider, row.status, row.usage]).toEqual(['firecrawl', 'succeeded', undefined]);
    const calls = server().sandbox.calls.filter(({ vendor }) => vendor === 'firecrawl');
    expect(calls.map(({ path, key, headers }) => [path, key, headers.authorization])).toEqual([
      ['/v2/scrape', undefined, undefined],
    ]);
    expect(row.warnings).toContainEqual({
      code: 'keyless_mode',
      message: expect.stringMatching(/^firecrawl was asked without a key, .*FIRECRAWL_API_KEY/),
    });
    const { json: pinned } = await server().fetch({
      urls: [PAGE],
      options: { providers: ['tavily'], tier: 'extended' },
    });
    const [extracted] = pinned.preprocessor_runs[0].output_payload.fetched_results;
    expect([extracted.provider, extracted.status, extracted.usage.cost_usd]).toEqual([
      'tavily',
      'succeeded',
      0,
    ]);
    const { json: priced } = await server().call('POST', '/v1/fetch?dry_run=true', {
      body: { urls: [PAGE] },
    });
    expect(priced.calls).toEqual([expect.objectContaining({ provider: 'firecrawl', cost_usd: 0 })]);
  });

  test('the roster of fetches says so', async () => {
    const { json } = await server().call('GET', '/v1/fetch-providers', { key: null });
    const entryOf = (name: string) =>
      json.fetch_providers.find((entry: { name: string }) => entry.name === name);
    expect(entryOf('firecrawl')).toMatchObject({
      configured: false,
      keyless: { allowance: expect.stringMatching(/IPv4/), runs: 'always' },
    });
    expect(entryOf('firecrawl').unsupported_fields).toContain('screenshot');
    expect(entryOf('exa')).not.toHaveProperty('keyless');
  });

  test('a vendor without a form of its own still needs its key', async () => {
    expect(await runsOf(server, named('exa', 'wikidata'))).toEqual([
      ['exa', 'missing_credential'],
      ['wikidata', 'succeeded'],
    ]);
  });

  test('asks the edition in the language of the filter', async () => {
    const filtered = { ...named('wikipedia'), filters: { language: 'de' } };
    const { rows, run } = await search(server(), 'Gezeitenkraft', filtered);
    expect(rows('wikipedia')[0]?.url).toMatch(/^https:\/\/de\.wikipedia\.org\/wiki\//);
    expect(String(run('wikipedia').request_payload.url)).toMatch(/\/de\/w\/api\.php/);
    const none = { ...named('wikipedia'), filters: { language: 'nd' } };
    expect((await search(server(), 'ukuhamba', none)).warnings('wikipedia')).toEqual([
      expect.stringMatching(/^filter_unsupported language: wikipedia has no edition/),
    ]);
  });

  test('does not ask a source whose rows the filter would leave out', async () => {
    const filtered = { filters: { include_domains: ['example.org'] } };
    const { runs, warnings } = await search(server(), 'tidal power', filtered);
    expect(runs.map((run) => run.preprocessor_name)).toEqual(['tavily', 'you']);
    expect(warnings('tavily')).toContainEqual(
      expect.stringMatching(/^provider_skipped wikipedia has rows of wikipedia\.org only/),
    );
  });

  test('a key that allows no training uses none of them', async () => {
    const { id, key } = await server().makeKey('careful');
    await server().server.store.keys.changeKey(id, { noTraining: true });
    const { status } = await server().search({ user_input: { query: 'tides' } }, { key });
    expect(status).toBe(403);
  });
});

describe('with the key of a fetch provider', () => {
  const server = useServer(without({ KEYLESS_SEARCH: 'on', TINYFISH_API_KEY: 'a-key-of-a-test' }));

  test('no page is read without a key', async () => {
    const { json } = await server().fetch({ urls: [PAGE] });
    const [row] = json.preprocessor_runs[0].output_payload.fetched_results;
    const { json: roster } = await server().call('GET', '/v1/fetch-providers', { key: null });
    const named = roster.fetch_providers.find(({ name }: { name: string }) => name === 'firecrawl');
    expect([row.provider, named.keyless.runs]).toEqual(['tinyfish', 'never']);
  });
});

describe('open sources with a key', () => {
  const server = useServer(
    without({
      KEYLESS_SEARCH: 'off',
      KEENABLE_API_KEY: 'keen_of-a-test',
      STACKEXCHANGE_KEY: 'stack-of-a-test',
    }),
  );

  test('are asked with it, also where nothing is asked without one', async () => {
    expect(await runsOf(server, named('keenable', 'stackexchange', 'wikipedia'))).toEqual([
      ['keenable', 'succeeded'],
      ['stackexchange', 'succeeded'],
      ['wikipedia', 'missing_credential'],
    ]);
    const calls = server().sandbox.calls.map(({ vendor, path, key, headers }) => [
      ...[vendor, path, key, headers['x-keenable-title']],
    ]);
    expect(calls.sort()).toEqual([
      ['keenable', '/v1/search', 'keen_of-a-test', undefined],
      ['stackexchange', '/2.3/search/advanced', 'stack-of-a-test', undefined],
    ]);
    const roster = await rosterOf(server);
    expect(roster.find(({ slug }) => slug === 'stackexchange')).toMatchObject({
      requires_key: 'optional',
      keyless: { allowance: '10,000 requests a day per address', runs: 'when_named' },
    });
  });

  test('the key is in no record', async () => {
    const found = await search(server(), 'tides', named('stackexchange'));
    expect(JSON.stringify(found.runs)).not.toContain('stack-of-a-test');
  });
});

describe('with a wrong key', () => {
  const server = useServer({
    env: { ...NO_KEYS, KEENABLE_API_KEY: 'bad-key', STACKEXCHANGE_KEY: 'bad-key' },
  });

  test.each(['keenable', 'stackexchange'])('%s: it is not left out', async (slug) => {
    const { runs } = await search(server(), 'tides', named(slug));
    expect(runs.map(({ error }) => error?.code)).toEqual(['invalid_credential']);
    expect(server().sandbox.calls.map(({ key }) => key)).toEqual(['bad-key']);
  });
});

describe.each<[string, Record<string, string | undefined>, string]>([
  ['on an address that other machines reach', { HOST: '0.0.0.0' }, 'when_named'],
  ['with one provider that has a key', { EXA_API_KEY: 'a-key-of-a-test' }, 'when_named'],
])('%s', (_title, env, runs) => {
  const server = useServer(without(env));

  test('open sources run where a request names them, and vendors need their key', async () => {
    expect(await runsOf(server, named('tavily', 'wikipedia'))).toEqual([
      ['tavily', 'missing_credential'],
      ['wikipedia', 'succeeded'],
    ]);
    const others = (await runsOf(server)).map(([slug]) => slug);
    expect(others).not.toContain('wikipedia');
    const roster = await rosterOf(server);
    expect(roster.find(({ slug }) => slug === 'wikipedia')?.keyless?.runs).toBe(runs);
    expect(roster.find(({ slug }) => slug === 'tavily')?.keyless?.runs).toBe('never');
  });

  test('auto-routing leaves them out', async () => {
    const { answer } = await search(server(), 'randomized trial of statins, systematic review', {
      auto_routing: 'accuracy',
    });
    const chosen = answer.routing?.[0]?.providers ?? [];
    for (const slug of ['arxiv', 'crossref', 'europepmc', 'wikipedia', 'tavily', 'you']) {
      expect(chosen).not.toContain(slug);
    }
  });
});

describe('KEYLESS_SEARCH=off', () => {
  const server = useServer(without({ KEYLESS_SEARCH: 'off' }));

  test('asks none, also not by name', async () => {
    const { error } = await search(server(), 'tides', named('wikipedia'));
    expect(error('wikipedia')).toMatchObject({
      code: 'missing_credential',
      message: expect.stringContaining('KEYLESS_SEARCH is off'),
    });
    expect(await runsOf(server)).toEqual([
      ['exa', 'missing_credential'],
      ['brave', 'missing_credential'],
    ]);
    expect(server().sandbox.calls).toEqual([]);
  });
});

describe('KEYLESS_SEARCH=on with a key', () => {
  const server = useServer(
    without({ KEYLESS_SEARCH: 'on', EXA_API_KEY: 'a-key-of-a-test', HOST: '0.0.0.0' }),
  );

  test('the default set stays that of the keys, and the others are candidates', async () => {
    expect(await runsOf(server)).toEqual([['exa', 'succeeded']]);
    const { answer } = await search(server(), 'systematic review of randomized trials of statins', {
      auto_routing: 'accuracy',
    });
    expect(answer.routing?.[0]).toMatchObject({ topic: 'academic_papers' });
    expect(answer.routing?.[0]?.providers).toContain('europepmc');
  });

  test('a key that is refused never becomes a call without one', async () => {
    expect(await runsOf(server, {}, 'tides [[exa:status=401]]')).toEqual([
      ['exa', 'invalid_credential'],
    ]);
  });
});

describe('what a source needs', () => {
  const server = useServer(without({ CONTACT: undefined, OPEN_SOURCES: undefined }));

  test('edgar is not asked without an e-mail address', async () => {
    const { error } = await search(server(), 'annual report', named('edgar'));
    expect(error('edgar')).toMatchObject({
      code: 'missing_credential',
      message: expect.stringMatching(/CONTACT is not set.*set CONTACT/),
    });
    const roster = await rosterOf(server);
    const entry = roster.find(({ slug }) => slug === 'edgar');
    expect(entry?.keyless).toMatchObject({
      runs: 'never',
      remark: expect.stringContaining('CONTACT'),
    });
    expect(roster.find(({ slug }) => slug === 'crossref')?.keyless).toMatchObject({
      pace: { every_ms: 1_000, in_flight: 1 },
      remark: expect.stringContaining('slower'),
    });
  });

  test('orcid exists only if it is named', async () => {
    expect((await rosterOf(server)).map(({ slug }) => slug)).not.toContain('orcid');
    const body = { user_input: { query: 'x' }, search: named('orcid') };
    expect((await server().search(body)).status).toBe(400);
  });
});

describe('answers that are not what they should be', () => {
  const server = useServer(without({ OPEN_SOURCES: 'all' }));
  const ALL = ['wikipedia', 'crossref', 'arxiv', 'europepmc', 'gleif', 'hackernews', 'keenable'];

  test.each([
    'status=503',
    'status=429',
    'status=403',
    'not-json',
    'broken-json',
    'wrong-shape=array',
    'cut',
    'empty',
    'odd-rows',
  ])('with %s every source has a clear run and is asked once', async (fault) => {
    for (const slug of ALL) server().sandbox.inject(slug, fault);
    const found = await search(server(), 'tides', named(...ALL));
    for (const run of found.runs) {
      if (run.error === null) continue;
      expect(run.error.code).not.toBe('internal_error');
      expect(run.error.message).toContain(run.preprocessor_name);
    }
    const asked = server().sandbox.calls.map(({ vendor }) => vendor);
    expect(asked.sort()).toEqual(ALL.toSorted());
  });
});

describe('an allowance that ends in the middle of a batch', () => {
  const server = useServer(without({ SOURCE_PACE: 'on' }));

  test('answers what it allowed, and asks no more', async () => {
    const queries = ['tides', 'tides [[tavily:status=432]]', 'waves', 'currents'];
    const { status, json } = await server().search({
      user_input: queries.map((query) => ({ query })),
      search: named('tavily'),
    });
    expect(status).toBe(200);
    expect(json.status).toBe('partially_succeeded');
    const [first, ...others]: { error: object | null }[] = json.preprocessor_runs;
    expect(first?.error).toBeNull();
    const usedUp = {
      code: 'quota_exhausted',
      message: expect.stringContaining('without a key'),
      retryable: false,
      retry_after_ms: expect.any(Number),
    };
    expect(others.map(({ error }) => error)).toEqual(
      others.map(() => expect.objectContaining(usedUp)),
    );
    expect(server().sandbox.calls).toHaveLength(2);
    // later searches keep to it too
    const later = await search(server(), 'shores', named('tavily'));
    expect(later.error('tavily')).toMatchObject({ code: 'quota_exhausted', retryable: false });
    expect(server().sandbox.calls).toHaveLength(2);
  });
});

test.each([
  'a b@example.com',
  'ops@example',
  'ftp://example.com',
  'x\u0007@example.com',
  'me (you)@x.org',
])('CONTACT %j stops the start', async (contact) => {
  const { readConfig } = await import('@trawl/server');
  expect(() => readConfig({ CONTACT: contact })).toThrow(/CONTACT must be an e-mail address/);
});
