import { PreprocessorRoster } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { search, useServer } from './support/search-runs.ts';

const server = useServer();
const roster = () => server().call('GET', '/v1/preprocessors', { key: null });

describe('4.8 GET /v1/preprocessors', () => {
  test('4.8 needs no authentication, and answers the same to a wrong key and one that may not manage', async () => {
    const plain = await roster();
    const reading = await server().makeKey('main', ['read', 'search']);
    expect(plain.status).toBe(200);
    for (const key of ['wrong', reading.key]) {
      const answer = await server().call('GET', '/v1/preprocessors', { key });
      expect([answer.status, answer.json]).toEqual([200, plain.json]);
    }
    const headers = { authorization: 'Basic x' };
    expect((await server().call('GET', '/v1/preprocessors', { key: null, headers })).status).toBe(
      200,
    );
  });

  test('4.8 lists exa and brave with exactly these fields', async () => {
    const { json } = await roster();
    expect(PreprocessorRoster.strict().parse(json)).toEqual(json);
    expect(Object.keys(json)).toEqual(['preprocessors']);
    const entry = (slug: string) =>
      json.preprocessors.find((one: { slug: string }) => one.slug === slug);
    const same = {
      active_by_default: true,
      configured: true,
      requires_key: true,
      count_control: 'native',
      auto_routable: true,
      health: { state: 'unknown', since: null },
      description: expect.stringMatching(/\w+ \w+/),
      docs_url: expect.stringMatching(/^https:\/\//),
      data_use: {
        training: expect.stringMatching(/^(no|opt_out|yes|unknown)$/),
        retention: expect.stringMatching(/\w/),
        region: expect.stringMatching(/\w/),
        source: expect.stringMatching(/^https:\/\//),
        checked: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        note: expect.stringMatching(/\w+ \w+/),
      },
    };
    expect(entry('exa')).toEqual({
      slug: 'exa',
      name: 'Exa',
      ...same,
      max_results: 10,
      unsupported_fields: ['fetch_meta', 'answer', 'entities', 'related', 'verticals'],
      filters: {
        include_domains: 'native',
        exclude_domains: 'native',
        published_after: 'native',
        published_before: 'native',
        country: 'native',
        language: 'unsupported',
        safe_search: 'native',
      },
      filters_note: expect.stringMatching(/^country: prefers .* mode strict/),
    });
    expect(entry('brave')).toEqual({
      slug: 'brave',
      name: 'Brave Search',
      ...same,
      max_results: 20,
      unsupported_fields: ['full_content', 'usage', 'answer', 'related'],
      filters: {
        include_domains: 'query',
        exclude_domains: 'query',
        published_after: 'native',
        published_before: 'native',
        country: 'native',
        language: 'native',
        safe_search: 'native',
      },
      filters_note: expect.stringMatching(/^published_before: .* discovery$/),
    });
  });

  test('4.8 each entry has its fields in one order, and each slug appears once', async () => {
    const { json } = await roster();
    const slugs = json.preprocessors.map((entry: { slug: string }) => entry.slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const entry of json.preprocessors) {
      expect(Object.keys(entry)).toEqual([
        ...['slug', 'name', 'active_by_default', 'configured', 'requires_key', 'max_results'],
        ...['count_control', 'auto_routable', 'unsupported_fields', 'filters'],
        ...('filters_note' in entry ? ['filters_note'] : []),
        ...['description', 'docs_url', 'data_use'],
        ...('keyless' in entry ? ['keyless'] : []),
        'health',
      ]);
    }
  });
});

describe('2.3 the slugs', () => {
  test('2.3 each slug of the roster is accepted in include, exclude and as an override key', async () => {
    const { json } = await roster();
    for (const { slug } of json.preprocessors) {
      const { runs } = await search(server(), 'tides', {
        providers: { include: [slug] },
        provider_overrides: { [slug]: {} },
      });
      expect(runs.map((run) => run.preprocessor_name)).toEqual([slug]);
      const rest = await search(server(), 'tides', { providers: { exclude: [slug] } });
      expect(rest.runs.map((run) => run.preprocessor_name)).not.toContain(slug);
    }
  });
});

describe('2.3 exa', () => {
  const providers = { include: ['exa'] };

  test('2.3 exa: num_results is clamped to 10 with a count_clamped warning', async () => {
    const { rows, warnings } = await search(server(), 'tides', { providers, num_results: 12 });
    expect(rows('exa')).toHaveLength(10);
    expect(warnings('exa')).toEqual([
      expect.stringMatching(/^count_clamped num_results: exa .*\b12\b/),
    ]);
    expect(server().sandbox.calls[0]?.json()).toMatchObject({ numResults: 10 });
  });

  test('2.3 exa: page text only at tier max or in fields mode', async () => {
    const texts = async (block: object) =>
      (await search(server(), 'tides', { providers, ...block }))
        .rows('exa')
        .map((row) => typeof row.full_content);
    expect(await texts({ tier: 'default' })).toEqual(Array(5).fill('undefined'));
    expect(await texts({ tier: 'extended' })).toEqual(Array(5).fill('object'));
    expect(await texts({ tier: 'max' })).toEqual(Array(5).fill('string'));
    expect(await texts({ fields: ['full_content'] })).toEqual(Array(5).fill('string'));
    const sent = server().sandbox.calls.map((call) => call.body.includes('"text":true'));
    expect(sent).toEqual([false, false, true, true]);
  });

  test('2.3 exa: the search is embedding-based, its type left to exa', async () => {
    await search(server(), 'tides', { providers });
    expect(server().sandbox.calls[0]?.json()).toMatchObject({ type: 'auto' });
  });
});

describe('2.3 brave', () => {
  const providers = { include: ['brave'] };

  test('2.3 brave: full_content and usage are null with a capability_gap', async () => {
    const { rows, output, warnings } = await search(server(), 'tides', {
      providers,
      tier: 'extended',
    });
    for (const row of rows('brave')) expect(row.full_content).toBeNull();
    expect(output('brave').usage).toBeNull();
    expect(warnings('brave')).toEqual([
      expect.stringMatching(/^capability_gap full_content: brave /),
      expect.stringMatching(/^capability_gap usage: brave /),
    ]);
  });

  test('2.3 brave: the raw snippet field is description', async () => {
    const { run, rows } = await search(server(), 'tides', { providers, include_raw: true });
    const raw = run('brave').raw_payload as { web: { results: { description: string }[] } };
    for (const [index, row] of rows('brave').entries()) {
      const words =
        raw.web.results[index]?.description.replace(/&[^;]+;/g, ' ').split(/[\s"'&]+/) ?? [];
      for (const word of words) expect(row.summary).toContain(word);
    }
  });

  test('2.3 brave: 20 results are requested and returned', async () => {
    const { rows, warnings } = await search(server(), 'tides', { providers, num_results: 20 });
    expect(rows('brave')).toHaveLength(20);
    expect(warnings('brave')).toEqual([]);
  });
});

describe('9 versioning', () => {
  test('9 rule 1: all paths of the contract are prefixed /v1', async () => {
    const { json } = await server().call('GET', '/openapi.json', { key: null });
    const beyond = [
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/docs',
      '/metrics',
      '/mcp',
      '/console',
    ];
    const paths = Object.keys(json.paths).filter((path) => !beyond.includes(path));
    expect(paths.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['/v1/search', '/v1/fetch', '/v1/interactions', '/v1/sessions', '/v1/preprocessors'],
        ...['/v1/sessions/{session_id}/history', '/v1/sessions/{session_id}/trajectory'],
        '/v1/fetch-providers',
      ]),
    );
  });

  test.each([
    ['POST', '/search'],
    ['POST', '/v2/search'],
    ['POST', '/V1/search'],
    ['GET', '/preprocessors'],
    ['GET', '/sessions'],
  ])('9 rule 1: %s %s is a 404', async (method, path) => {
    const body = method === 'POST' ? { body: { user_input: { query: 'tides' } } } : {};
    expect((await server().call(method, path, body)).status).toBe(404);
  });

  test('9 rule 2: normalized_schema_version is 2 and so is the schema_version of each envelope', async () => {
    const batch = ['tides', 'tides [[exa:status=400]]'];
    const { answer, runs } = await search(server(), batch, { tier: 'max' });
    expect(answer.normalized_schema_version).toBe(2);
    expect(runs.map((run) => run.output_payload?.schema_version)).toEqual([2, 2, undefined, 2]);
  });

  test('9 rule 3: the live rosters are the endpoints of 4.8 and 4.9', async () => {
    const search_roster = await roster();
    const fetch_roster = await server().call('GET', '/v1/fetch-providers', { key: null });
    expect([search_roster.status, fetch_roster.status]).toEqual([200, 200]);
    expect(search_roster.json.preprocessors.length).toBeGreaterThanOrEqual(2);
    expect(fetch_roster.json).toEqual({ fetch_providers: expect.any(Array) });
  });
});
