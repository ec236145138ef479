import { beforeEach, describe, expect, test } from 'vitest';
import { type StubCall, useStubFor } from './support/fetched-pages.ts';
import { search, useServer } from './support/search-runs.ts';

const server = useServer();

const only = (...slugs: string[]) => ({ providers: { include: slugs } });
const at = (slug: string, filters: object, more: object = {}) => ({
  ...only(slug),
  filters,
  ...more,
});

/** What the vendor was sent: the members of its body, or its query parameters. */
function sent(): Record<string, unknown> {
  const call = server().sandbox.calls.at(-1);
  if (!call) throw new Error('nothing was sent');
  return call.method === 'POST'
    ? (call.json() as Record<string, unknown>)
    : Object.fromEntries(call.query);
}

describe('9 filters in the request to a provider', () => {
  test('9 filters: a native parameter is sent, and the envelope says so', async () => {
    const filters = {
      include_domains: ['Docs.Python.org', 'docs.python.org'],
      published_after: '2026-01-01',
      published_before: '2026-01-31',
      country: 'de',
      safe_search: 'moderate',
    };
    const found = await search(server(), 'tidal power', at('exa', filters));
    expect(sent()).toMatchObject({
      query: 'tidal power',
      includeDomains: ['docs.python.org'],
      startPublishedDate: '2026-01-01T00:00:00.000Z',
      endPublishedDate: '2026-01-31T23:59:59.999Z',
      userLocation: 'DE',
      moderation: true,
    });
    expect(found.output('exa').filters).toEqual({
      include_domains: 'native',
      published_after: 'native',
      published_before: 'native',
      country: 'native',
      safe_search: 'native',
    });
    expect(found.warnings('exa')).toEqual([]);
  });

  test('9 filters: operators are added to the query that is sent; the run keeps the query', async () => {
    const filters = { include_domains: ['example.com', 'example.org'] };
    const found = await search(server(), 'tidal power', at('brave', filters));
    expect(sent().q).toBe('tidal power site:example.com OR site:example.org');
    expect(found.run('brave').query).toBe('tidal power');
    expect(found.output('brave').filters).toEqual({ include_domains: 'query' });
  });

  const hostsOf = (name: string) =>
    Array.from({ length: 49 }, (_, index) => `${name}-${index}.example.com`);

  test('9 filters: hosts that do not fit into the query of brave as operators are a goggle', async () => {
    const hosts = [...hostsOf('host'), 'example.org'];
    const included = await search(server(), 'tidal power', at('brave', { include_domains: hosts }));
    expect(sent().q).toBe('tidal power');
    expect(sent().goggles).toBe(['$discard', ...hosts.map((host) => `$site=${host}`)].join('\n'));
    expect(included.output('brave').filters).toEqual({ include_domains: 'native' });
    const domains = (found: typeof included) =>
      found.rows('brave').map(({ url }) => new URL(String(url)).hostname);
    expect(domains(included)).toHaveLength(5);
    expect(domains(included).filter((host) => !host.endsWith('example.org'))).toEqual([]);
    const excluded = await search(server(), 'tidal power', at('brave', { exclude_domains: hosts }));
    expect(excluded.output('brave').filters).toEqual({ exclude_domains: 'native' });
    expect(domains(excluded)).toHaveLength(5);
    expect(domains(excluded).filter((host) => host.endsWith('example.org'))).toEqual([]);
  });

  test.each([
    ['too long for a goggle', 'a-very-long-name-of-a-host-that-is-not-there', {}],
    ['next to a goggle of the caller', 'host', { goggles: '$boost=2,site=example.org' }],
  ])('9 filters: hosts %s are checked in the rows', async (_title, name, brave) => {
    const filters = { include_domains: hostsOf(name) };
    const block = at('brave', filters, { provider_overrides: { brave } });
    const found = await search(server(), 'tidal power', block);
    expect(sent().q).toBe('tidal power');
    expect(found.output('brave')).toMatchObject({
      filters: { include_domains: 'checked' },
      results: [],
    });
    expect(found.warnings('brave')).toEqual([
      'upstream_warning include_domains: 5 rows outside it were dropped',
    ]);
  });

  test('9 filters: what a provider cannot do is one warning for each filter and run', async () => {
    const filters = { language: 'de', country: 'AT' };
    const found = await search(server(), ['tides', 'waves'], at('linkup', filters));
    for (const query of [0, 1]) {
      expect(found.output('linkup', query).filters).toEqual({
        country: 'unsupported',
        language: 'unsupported',
      });
      expect(found.warnings('linkup', query)).toEqual([
        'filter_unsupported country: linkup has no country filter',
        'filter_unsupported language: linkup has no language filter',
      ]);
    }
  });

  test('9 filters: support depends on the value', async () => {
    const inList = await search(server(), 'tides', at('brave', { country: 'de' }));
    expect(inList.output('brave').filters).toEqual({ country: 'native' });
    const outside = await search(server(), 'tides', at('brave', { country: 'ke' }));
    expect(outside.output('brave').filters).toEqual({ country: 'query' });
    expect(sent().q).toBe('tides loc:ke');
    expect(outside.warnings('brave')).toEqual([]);
  });

  test('9 filters: an operator that rows cannot be checked for is unsupported where it does not fit', async () => {
    const words = Array.from({ length: 50 }, (_, index) => `word${index}`).join(' ');
    const found = await search(server(), words, at('brave', { language: 'el' }));
    expect(sent().q).toBe(words);
    expect(found.output('brave').filters).toEqual({ language: 'unsupported' });
    expect(found.warnings('brave')).toEqual([
      'filter_unsupported language: brave takes a list of languages, and the operator lang: does not fit into the query',
    ]);
  });

  test('9 filters: a failed run has their warnings in its error', async () => {
    server().sandbox.inject('linkup', 'status=500');
    const found = await search(server(), 'tides', at('linkup', { language: 'de' }));
    expect(found.warnings('linkup')).toEqual([
      'filter_unsupported language: linkup has no language filter',
    ]);
  });
});

describe('9 filters checked in the rows', () => {
  test.each(['brave', 'serpapi'])(
    '9 filters: rows of %s outside of its operators are dropped and counted, also with strict',
    async (slug) => {
      for (const mode of ['best_effort', 'strict']) {
        const filters = { include_domains: ['example.org'], mode };
        const found = await search(server(), 'tidal power', at(slug, filters));
        const hosts = found.rows(slug).map(({ url }) => new URL(String(url)).hostname);
        expect(hosts.length).toBeGreaterThan(0);
        expect(hosts.filter((host) => !/(^|\.)example\.org$/.test(host))).toEqual([]);
        expect(found.output(slug).filters).toEqual({ include_domains: 'query' });
        expect(found.warnings(slug)).toContain(
          'upstream_warning include_domains: 1 row outside it was dropped',
        );
      }
    },
  );

  test('9 filters: hosts outside are dropped before the cut, so that ranks have no holes', async () => {
    const all = await search(server(), 'tidal power', { ...only('ceramic'), num_results: 10 });
    const hosts = all.rows('ceramic').map(({ url }) => new URL(String(url)).hostname);
    const [host = ''] = hosts;
    const found = await search(server(), 'tidal power', {
      ...at('ceramic', { exclude_domains: [host] }),
      num_results: 3,
    });
    const rows = found.rows('ceramic');
    expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    const isOut = (name: string) => name === host || name.endsWith(`.${host}`);
    const left = all.rows('ceramic').filter((_, index) => !isOut(hosts[index] ?? ''));
    expect(rows.map(({ url }) => url)).toEqual(left.slice(0, 3).map(({ url }) => url));
    expect(found.output('ceramic').filters).toEqual({ exclude_domains: 'checked' });
  });

  test('9 filters: dates are checked where a row has one; strict drops rows without a date', async () => {
    const wide = { ...only('searxng'), num_results: 20, tier: 'extended' };
    const since = '2024-01-01';
    const datesWith = async (filters?: object) => {
      const found = await search(server(), 'tidal power', { ...wide, filters });
      const dates = found.rows('searxng').map(({ publish_date: date }) => date as string | null);
      return { found, dates, isOld: dates.some((date) => date !== null && date < since) };
    };
    expect((await datesWith()).isOld).toBe(true);
    const loose = await datesWith({ published_after: since });
    expect([loose.isOld, loose.dates.includes(null)]).toEqual([false, true]);
    const { found: strict, ...rest } = await datesWith({ published_after: since, mode: 'strict' });
    expect([rest.isOld, rest.dates.includes(null), rest.dates.length > 0]).toEqual([
      ...[false, false, true],
    ]);
    expect(strict.warnings('searxng').join()).toMatch(
      /upstream_warning published_after: \d+ rows outside it were dropped/,
    );
    expect(strict.output('searxng').filters).toEqual({ published_after: 'checked' });
  });
});

describe('9 filters: the last and the only day', () => {
  const DAY = '2025-03-04';
  const stub = useStubFor('searxng');
  beforeEach(() => {
    const rows = [
      '2025-03-03T23:59:59',
      '2025-03-04T00:00:00',
      '2025-03-04T23:59:59',
      '2025-03-05',
      '2025-03',
      '2025',
      '2024-12',
      '2026',
    ];
    stub().respond(() => ({
      body: {
        query: 'tides',
        results: rows.map((publishedDate, index) => ({
          url: `https://example.org/${index}`,
          title: `Row ${index}`,
          content: 'Tides rise and fall.',
          publishedDate,
        })),
      },
    }));
  });

  test.each<[object, readonly number[]]>([
    [{ published_before: DAY }, [0, 1, 2, 4, 5, 6]],
    [{ published_after: DAY }, [0, 1, 2, 3, 4, 5, 7]],
    [{ published_after: DAY, published_before: DAY }, [0, 1, 2, 4, 5]],
  ])('9 filters: rows of that very day, month or year stay with %j', async (filters, kept) => {
    const block = { ...only('searxng'), tier: 'extended', num_results: 10, filters };
    const found = await search(stub(), 'tides', block);
    expect(found.rows('searxng').map(({ url }) => url)).toEqual(
      kept.map((index) => `https://example.org/${index}`),
    );
  });
});

describe('9 filters: rows of a provider that applies a filter itself', () => {
  const stub = useStubFor('tavily');
  const answer = (rows: readonly (readonly [string, string | null])[]) =>
    stub().respond(() => ({
      body: {
        results: rows.map(([url, published_date]) => ({
          url,
          title: url,
          content: 'Text.',
          published_date,
        })),
      },
    }));
  const filters = { published_after: '2026-11-01', exclude_domains: ['bücher.example'] };

  test.each(['best_effort', 'strict'])(
    '11 filters: rows outside and repeated rows are dropped and counted once, mode %s',
    async (mode) => {
      answer([
        ['https://example.org/new', '2026-11-01'],
        ['https://example.org/old', '2020-01-02'],
        ['https://example.org/new?utm_source=mail', '2020-01-02'],
        ['https://WWW.xn--bcher-kva.example./both', '2020-01-02'],
        ['https://example.org/undated', null],
        ['https://example.org/words', 'vor 3 Wochen'],
        ['https://example.org/year-ago', '1 year ago'],
        ['https://example.org/later', '2090-01-01'],
      ]);
      const block = { ...at('tavily', { ...filters, mode }), tier: 'extended', num_results: 3 };
      const found = await search(stub(), 'tides', block);
      expect(found.rows('tavily')).toMatchObject([
        { rank: 1, url: 'https://example.org/new', publish_date: '2026-11-01' },
        { rank: 2, url: 'https://example.org/undated', publish_date: null },
        { rank: 3, url: 'https://example.org/words', publish_date: null },
      ]);
      expect(found.output('tavily').filters).toEqual({
        exclude_domains: 'native',
        published_after: 'native',
      });
      expect(found.warnings('tavily').filter((said) => said.startsWith('upstream'))).toEqual([
        'upstream_warning exclude_domains: 1 row outside it was dropped; published_after: 2 rows outside it were dropped; results: 1 row with the URL of an earlier one was dropped',
      ]);
    },
  );

  test('11 filters: a row stays whose earlier repeat was outside', async () => {
    answer([
      ['https://example.org/a', '2020-01-02'],
      ['https://example.org/a?utm_source=mail', '2026-11-20'],
      ['https://example.org/a?utm_source=feed', '2026-11-21'],
    ]);
    const found = await search(stub(), 'tides', at('tavily', filters));
    expect(found.rows('tavily')).toMatchObject([{ rank: 1, url: 'https://example.org/a' }]);
    expect(found.warnings('tavily')).toEqual([
      'upstream_warning published_after: 1 row outside it was dropped; results: 1 row with the URL of an earlier one was dropped',
    ]);
  });

  test('11 filters: an answer of which no row is left is a success that counts them', async () => {
    answer([
      ['https://example.org/a', '2020-01-02'],
      ['https://example.org/b', '2 years ago'],
    ]);
    const found = await search(stub(), 'tides', at('tavily', filters));
    expect(found.run('tavily').status).toBe('succeeded');
    expect(found.rows('tavily')).toEqual([]);
    expect(found.warnings('tavily')).toEqual([
      'upstream_warning published_after: 2 rows outside it were dropped',
    ]);
  });
});

describe('9 filters and overrides', () => {
  test('9 filters: an override of the same parameter wins, with a warning', async () => {
    const found = await search(
      server(),
      'tides',
      at(
        'brave',
        { country: 'DE', safe_search: 'strict' },
        {
          provider_overrides: { brave: { country: 'FR' } },
        },
      ),
    );
    expect(sent()).toMatchObject({ country: 'FR', safesearch: 'strict' });
    expect(found.warnings('brave')).toEqual([
      'filter_overridden country: brave was sent the country of provider_overrides instead',
    ]);
  });

  test('9 filters: only the same parameter of a nested object is overridden', async () => {
    const block = (source_policy: object) => ({
      provider_overrides: { parallel: { advanced_settings: { source_policy } } },
    });
    const filters = { include_domains: ['example.com'] };
    const other = await search(
      server(),
      'tides',
      at('parallel', filters, block({ after_date: '2026-01-01' })),
    );
    expect(other.warnings('parallel')).toEqual([]);
    expect(sent()).toMatchObject({
      advanced_settings: {
        source_policy: { include_domains: ['example.com'], after_date: '2026-01-01' },
      },
    });
    const same = await search(
      server(),
      'tides',
      at('parallel', filters, block({ include_domains: ['example.org'] })),
    );
    expect(same.warnings('parallel')).toEqual([
      'filter_overridden include_domains: parallel was sent the advanced_settings.source_policy.include_domains of provider_overrides instead',
    ]);
  });

  test('9 filters: where overrides replace the query, hosts are sent in another way', async () => {
    const found = await search(
      server(),
      'tides',
      at(
        'brave',
        { include_domains: ['example.com'] },
        {
          provider_overrides: { brave: { q: 'waves' } },
        },
      ),
    );
    expect(sent().q).toBe('waves');
    expect(sent().goggles).toBe('$discard\n$site=example.com');
    expect(found.output('brave').filters).toEqual({ include_domains: 'native' });
  });
});

describe('9 filters that a provider ignores', () => {
  test('9 filters: a country that parallel says it ignored is unsupported', async () => {
    const known = await search(server(), 'tides', at('parallel', { country: 'DE' }));
    expect(known.output('parallel').filters).toEqual({ country: 'native' });
    expect(known.warnings('parallel')).toEqual([]);
    const unknown = await search(server(), 'tides', at('parallel', { country: 'AQ' }));
    expect(unknown.output('parallel').filters).toEqual({ country: 'unsupported' });
    expect(unknown.warnings('parallel')).toEqual([
      'filter_unsupported country: parallel says that it ignored this location',
      'upstream_warning parallel: The location aq is not supported and is ignored',
    ]);
  });

  test('9 filters: parallel does not run where a country must apply, since it may ignore it', async () => {
    const filters = { country: 'DE', mode: 'strict' };
    const found = await search(server(), 'tides', { ...only('parallel', 'brave'), filters });
    expect(found.runs.map(({ preprocessor_name }) => preprocessor_name)).toEqual(['brave']);
    expect(found.warnings('brave')).toEqual([
      'provider_skipped parallel cannot apply country and did not run, as search.filters.mode is strict',
    ]);
  });
});

describe('9 filters: values that an override rules out', () => {
  test.each(['company', 'people'])(
    '9 filters: exa runs with category %s and says what it cannot filter',
    async (category) => {
      const filters = {
        exclude_domains: ['example.com', 'example.net'],
        published_after: '2020-01-01',
        published_before: '2026-01-01',
      };
      const more = { provider_overrides: { exa: { category } }, num_results: 10 };
      const found = await search(server(), 'tides', at('exa', filters, more));
      expect(found.output('exa').filters).toEqual({
        exclude_domains: 'checked',
        published_after: 'unsupported',
        published_before: 'unsupported',
      });
      const hosts = found.rows('exa').map(({ url }) => new URL(String(url)).hostname);
      expect(hosts.length).toBeGreaterThan(0);
      expect(hosts.filter((host) => !host.endsWith('example.org'))).toEqual([]);
    },
  );
});

describe('9 strict filters', () => {
  test('9 filters: serpapi restricts results to a country where it must apply', async () => {
    await search(server(), 'tides', at('serpapi', { country: 'GB' }));
    expect(sent()).toMatchObject({ gl: 'uk' });
    expect(sent()).not.toHaveProperty('cr');
    await search(server(), 'tides', at('serpapi', { country: 'FR', mode: 'strict' }));
    expect(sent()).toMatchObject({ gl: 'fr', cr: 'countryFR' });
  });

  const strict = { language: 'de', mode: 'strict' };

  test('9 filters: a provider that cannot apply all does not run', async () => {
    const found = await search(server(), 'tides', { ...only('exa', 'brave'), filters: strict });
    expect(found.runs.map(({ preprocessor_name }) => preprocessor_name)).toEqual(['brave']);
    expect(found.warnings('brave')).toEqual([
      'provider_skipped exa cannot apply language and did not run, as search.filters.mode is strict',
    ]);
  });

  test('9 filters: an operator that rows cannot be checked for does not count as applied', async () => {
    const filters = { language: 'el', mode: 'strict' };
    const found = await search(server(), 'tides', { ...only('brave', 'searxng'), filters });
    expect(found.runs.map(({ preprocessor_name }) => preprocessor_name)).toEqual(['searxng']);
  });

  test('9 filters: no provider left is a 400, and nothing is sent', async () => {
    const answer = await server().search({
      user_input: { query: 'tides' },
      search: { ...only('exa', 'linkup'), filters: strict },
    });
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        detail:
          'search.filters: with mode strict no provider is left to run: exa (language), linkup (language) cannot apply all filters; name others in search.providers.include, or use mode best_effort',
      },
    ]);
    expect(server().sandbox.calls).toEqual([]);
  });

  test('9 filters: auto-routing chooses among those that can', async () => {
    const found = await search(server(), 'tides', { auto_routing: 'accuracy', filters: strict });
    const able = ['brave', 'perplexity', 'searxng', 'tinyfish', 'you', 'serpapi'];
    const ran = found.runs.map(({ preprocessor_name }) => preprocessor_name);
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.filter((slug) => !able.includes(slug))).toEqual([]);
  });

  test('9 filters: a provider that auto-routing would have chosen is named when it cannot', async () => {
    const news = 'latest news about the election today';
    const routed = { auto_routing: 'accuracy' };
    const usual = await search(server(), news, routed);
    const namesOf = ({ runs }: typeof usual) => runs.map((run) => run.preprocessor_name);
    expect(namesOf(usual)).toContain('parallel');
    const filters = { safe_search: 'strict', mode: 'strict' };
    const found = await search(server(), news, { ...routed, filters });
    expect(namesOf(found)).not.toContain('parallel');
    const skipped = [
      'provider_skipped parallel cannot apply safe_search and did not run, as search.filters.mode is strict',
    ];
    expect(namesOf(found).map((slug) => found.warnings(slug))).toEqual(
      namesOf(found).map(() => skipped),
    );
  });

  test('9 filters: no provider left comes before the volume and the session', async () => {
    const filters = { safe_search: 'strict', mode: 'strict' };
    const answer = await server().search({
      user_input: Array.from({ length: 32 }, (_, index) => ({ query: `tides ${index}` })),
      search: { ...only('seltz'), num_results: 20, filters },
    });
    expect([answer.status, answer.json.detail]).toEqual([
      400,
      expect.stringContaining('no provider is left to run: seltz (safe_search)'),
    ]);
  });
});

test('9 filters: a dry run says what each provider would do', async () => {
  const answer = await server().call('POST', '/v1/search?dry_run=true', {
    body: {
      user_input: { query: 'tides' },
      search: { ...only('exa', 'ceramic'), filters: { exclude_domains: ['example.com'] } },
    },
  });
  expect(answer.json.calls).toMatchObject([
    { provider: 'exa', filters: { exclude_domains: 'native' } },
    { provider: 'ceramic', filters: { exclude_domains: 'checked' } },
  ]);
  expect(server().sandbox.calls).toEqual([]);
});

test.each([
  ['absent', undefined],
  ['null', null],
  ['empty', {}],
  ['of a mode alone', { mode: 'strict' }],
  ['of nulls', { country: null, include_domains: null }],
])('9 filters: filters that are %s change nothing', async (_name, filters) => {
  const found = await search(server(), 'tides', { ...only('exa', 'ceramic'), filters });
  for (const slug of ['exa', 'ceramic']) {
    expect(Object.keys(found.output(slug))).not.toContain('filters');
    expect(found.warnings(slug)).toEqual([]);
  }
  const dry = await server().call('POST', '/v1/search?dry_run=true', {
    body: { user_input: { query: 'tides' }, search: { ...only('exa'), filters } },
  });
  expect(Object.keys(dry.json.calls[0])).not.toContain('filters');
});

describe('9 bad filters', () => {
  const HOST = 'is not a host name without scheme, port, path or wildcard';
  const DATE = 'is not a calendar date; write it as YYYY-MM-DD, such as 2026-01-31';
  const at0 = ['include_domains', 0];

  test.each<[object, (string | number)[], string]>([
    [
      { include_domains: ['https://example.com'] },
      at0,
      `'https://example.com' ${HOST}; write example.com; its subdomains are included`,
    ],
    [
      { include_domains: ['example.com/docs'] },
      at0,
      `'example.com/docs' ${HOST}; write example.com; its subdomains are included`,
    ],
    [
      { include_domains: ['example.com:8080'] },
      at0,
      `'example.com:8080' ${HOST}; write example.com; its subdomains are included`,
    ],
    [
      { include_domains: ['*.example.com'] },
      at0,
      `'*.example.com' ${HOST}; write example.com; its subdomains are included`,
    ],
    [
      { exclude_domains: ['example'] },
      ['exclude_domains', 0],
      `'example' ${HOST}; write a host name such as example.com`,
    ],
    [
      { include_domains: ['10.0.0.1'] },
      at0,
      `'10.0.0.1' ${HOST}; write a host name such as example.com`,
    ],
    [
      { include_domains: ['a b.com'] },
      at0,
      `'a b.com' ${HOST}; write a host name such as example.com`,
    ],
    [{ published_after: '2026-02-30' }, ['published_after'], `'2026-02-30' ${DATE}`],
    [{ published_before: 'last week' }, ['published_before'], `'last week' ${DATE}`],
    [
      { published_after: '2026-01-01T00:00:00Z' },
      ['published_after'],
      `'2026-01-01T00:00:00Z' ${DATE}`,
    ],
    [
      { country: 'Germany' },
      ['country'],
      "'Germany' is not an ISO 3166-1 alpha-2 country code; write two letters such as DE",
    ],
    [
      { country: 'uk' },
      ['country'],
      "'UK' is not an ISO 3166-1 alpha-2 country code; the United Kingdom is GB",
    ],
    [
      { language: 'english' },
      ['language'],
      "'english' is not an ISO 639-1 language code; write two letters such as de",
    ],
    [
      { published_after: '2026-02-02', published_before: '2026-02-01' },
      [],
      'published_after 2026-02-02 is later than published_before 2026-02-01; swap them',
    ],
  ])('9 filters: %j is a 422', async (filters, path, error) => {
    const answer = await server().search({ user_input: { query: 'tides' }, search: { filters } });
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatchObject([
      {
        type: 'value_error',
        loc: ['body', 'search', 'filters', ...path],
        msg: `Value error, ${error}`,
      },
    ]);
    expect(server().sandbox.calls).toEqual([]);
  });

  test.each<[object, (string | number)[], string, string | undefined]>([
    [{ site: 'example.com' }, ['site'], 'extra_forbidden', 'use search.filters.include_domains'],
    [{ domain: 1 }, ['domain'], 'extra_forbidden', 'use search.filters.include_domains'],
    [{ countri: 'DE' }, ['countri'], 'extra_forbidden', 'did you mean country?'],
    [
      { include_domains: 'example.com' },
      ['include_domains'],
      'list_type',
      'write a list: ["example.com"]',
    ],
    [{ include_domains: [] }, ['include_domains'], 'too_short', undefined],
    [
      { include_domains: Array.from({ length: 51 }, () => 'a.com') },
      ['include_domains'],
      'too_long',
      undefined,
    ],
    [{ country: 49 }, ['country'], 'string_type', undefined],
    [{ safe_search: 'on' }, ['safe_search'], 'literal_error', undefined],
    [{ mode: 'stric' }, ['mode'], 'literal_error', 'did you mean strict?'],
  ])('9 filters: %j is a 422 with a hint', async (filters, path, type, hint) => {
    const answer = await server().search({ user_input: { query: 'tides' }, search: { filters } });
    expect(answer.status).toBe(422);
    const [issue] = answer.json.detail;
    expect([issue.type, issue.loc, issue.hint]).toEqual([
      type,
      ['body', 'search', 'filters', ...path],
      hint,
    ]);
  });

  test('9 filters: both lists of hosts are a 400', async () => {
    const filters = { include_domains: ['a.com'], exclude_domains: ['b.com'] };
    const answer = await server().search({ user_input: { query: 'tides' }, search: { filters } });
    expect([answer.status, answer.json.detail]).toEqual([
      400,
      'search.filters: include_domains and exclude_domains exclude each other; send one of them',
    ]);
  });
});

test('9 filters: strict filters hold for the providers of fallback too', async () => {
  server().sandbox.inject('brave', 'status=500');
  const found = await search(server(), 'tides', {
    ...only('brave'),
    fallback: ['exa', 'perplexity'],
    filters: { language: 'de', mode: 'strict' },
  });
  expect(found.runs.map(({ preprocessor_name }) => preprocessor_name)).toEqual([
    ...['brave', 'perplexity'],
  ]);
  expect(found.output('perplexity').filters).toEqual({ language: 'native' });
});

describe('9 filters that a plan refuses', () => {
  const stub = useStubFor('tavily');
  const asks = ({ body }: StubCall) => body.includes('safe_search');
  const smallPlan = (call: StubCall) =>
    asks(call)
      ? { status: 400, body: { detail: { error: 'safe_search needs an enterprise plan' } } }
      : { body: { query: 'x', results: [{ title: 'Tides', url: 'https://a.example/' }] } };

  test('9 filters: with strict the refusal is a failed run', async () => {
    stub().respond(smallPlan);
    const filters = { safe_search: 'strict', mode: 'strict' };
    const found = await search(stub(), 'tides', at('tavily', filters));
    expect(found.error('tavily')).toMatchObject({ code: 'bad_request', http_status: 400 });
    expect(stub().received.map(asks)).toEqual([true]);
  });

  test('9 filters: otherwise the call is sent without it, and the run says so', async () => {
    stub().respond(smallPlan);
    const filters = { safe_search: 'strict', country: 'DE' };
    const found = await search(stub(), 'tides', at('tavily', filters));
    expect(found.output('tavily').filters).toEqual({
      country: 'native',
      safe_search: 'unsupported',
    });
    expect(found.warnings('tavily')).toEqual([
      'filter_unsupported safe_search: tavily refuses safe_search on the plan of this key',
    ]);
    expect(stub().received.map(asks).slice(-2)).toEqual([true, false]);
  });
});
