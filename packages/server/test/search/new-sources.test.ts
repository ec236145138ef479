import { startTestServer } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import { NO_KEYS, search, useServer } from '../spec/support/search-runs.ts';

const server = useServer();
const of = (slug: string, overrides: object = {}, more: object = {}) => ({
  providers: { include: [slug] },
  fallback: 'off',
  tier: 'extended',
  provider_overrides: { [slug]: overrides },
  ...more,
});

describe('brave in its mode llm_context', () => {
  const context = (more: object = {}) => of('brave', { llm_context: true }, more);

  test('returns the passages of pages as excerpts', async () => {
    const found = await search(server(), 'tidal power', context({ num_results: 4, tier: 'max' }));
    const rows = found.rows('brave');
    expect(rows).toHaveLength(4);
    for (const { excerpt, summary, favicon, enrichments } of rows) {
      expect(String(excerpt).split('\n\n')).toHaveLength(3);
      expect(String(excerpt)).toContain(String(summary));
      expect([favicon, enrichments]).toEqual([
        expect.stringMatching(/^https:/),
        { site_name: expect.any(String) },
      ]);
    }
    expect(rows.map(({ publish_date: day }) => day)).toContainEqual(
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    );
    expect(found.warnings('brave')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/entities: brave returns passages only in its mode llm_context/),
        expect.stringMatching(/verticals: brave/),
      ]),
    );
    const [call] = server().sandbox.calls;
    expect([call?.path, Object.fromEntries(call?.query ?? [])]).toEqual([
      '/res/v1/llm/context',
      {
        q: 'tidal power',
        count: '20',
        maximum_number_of_urls: '4',
        maximum_number_of_tokens: '4096',
        enable_local: 'false',
        enable_source_metadata: 'true',
      },
    ]);
  });

  test('sends hosts in a goggle and days in freshness, and has no safe search', async () => {
    const filters = {
      exclude_domains: ['example.com'],
      published_after: '2026-01-02',
      language: 'de',
      safe_search: 'strict',
    };
    const found = await search(server(), 'tidal power', context({ filters }));
    expect(found.run('brave').error).toBeNull();
    expect(found.run('brave').output_payload?.filters).toEqual({
      exclude_domains: 'native',
      published_after: 'native',
      language: 'native',
      safe_search: 'unsupported',
    });
    expect(Object.fromEntries(server().sandbox.calls[0]?.query ?? [])).toMatchObject({
      q: 'tidal power',
      goggles: '$discard,site=example.com',
      search_lang: 'de',
      freshness: expect.stringMatching(/^2026-01-02to/),
    });
  });

  test('another value of the word is an ordinary search, and is not sent', async () => {
    const found = await search(server(), 'tidal power', of('brave', { llm_context: false }));
    expect(found.run('brave').error).toBeNull();
    const [call] = server().sandbox.calls;
    expect([call?.path, JSON.stringify(call?.query).includes('llm_context')]).toEqual([
      '/res/v1/web/search',
      false,
    ]);
  });
});

describe('deepseek', () => {
  test('has its filters as operators in the query', async () => {
    const filters = {
      include_domains: ['example.org', 'example.com'],
      published_after: '2020-01-02',
      language: 'en',
    };
    const found = await search(server(), 'tidal power', of('deepseek', {}, { filters }));
    expect(found.run('deepseek').output_payload?.filters).toEqual({
      include_domains: 'query',
      published_after: 'query',
      language: 'query',
    });
    expect(found.run('deepseek').request_payload.body).toMatchObject({
      query: 'tidal power site:example.org OR site:example.com after:2020-01-02 lang:en',
      need_content: true,
    });
    expect(found.rows('deepseek')[0]?.full_content).toMatch(/\w/);
  });

  test.each<[string, object, RegExp]>([
    ['tide '.repeat(30), {}, /at most 128 characters, and this query has 150 /],
    ['a'.repeat(110), { include_domains: ['a-long-host.example.org'] }, /this query has 139 /],
  ])(
    'refuses what is too long, with the length, before it is sent',
    async (query, filters, text) => {
      const found = await search(server(), query, of('deepseek', {}, { filters }));
      const { error, latency_ms, status } = found.run('deepseek');
      expect([status, latency_ms, error?.code, error?.message]).toEqual([
        'failed',
        null,
        'bad_request',
        expect.stringMatching(text),
      ]);
      expect(server().sandbox.calls).toEqual([]);
      const body = { user_input: { query }, search: of('deepseek', {}, { filters }) };
      const { json } = await server().call('POST', '/v1/search?dry_run=true', { body });
      expect(json.total_usd).toBe(0);
    },
  );

  test('strict drops rows whose days are outside, or not known', async () => {
    const filters = { published_after: '2024-01-02', mode: 'strict' };
    const found = await search(server(), 'tidal power', of('deepseek', {}, { filters }));
    for (const { publish_date: day } of found.rows('deepseek')) {
      expect(String(day) >= '2024-01-02').toBe(true);
    }
  });

  test('counts 128 letters beyond ASCII as 128', async () => {
    const found = await search(server(), '🌊'.repeat(128), of('deepseek'));
    expect(found.run('deepseek').error).toBeNull();
  });

  test.each([
    ['tides', 750],
    ['[[*:empty]] tides', 0],
  ])(
    '"%s" costs %d millionths of a dollar: an answer without rows is free',
    async (query, micros) => {
      const { answer } = await search(server(), query, of('deepseek'));
      const { reader } = server().server.store;
      const rows = await reader.ledger(server().projectId, answer.interaction_id);
      expect(rows.map(({ costMicros }) => costMicros)).toEqual([micros]);
    },
  );

  test('the address of a person is refused, and shown nowhere', async () => {
    for (const key of ['localization', 'Local_ization']) {
      const body = {
        user_input: { query: 'tides' },
        search: of('deepseek', { [key]: '203.0.113.7' }),
      };
      const { status, json, text } = await server().call('POST', '/v1/search', { body });
      expect(status).toBe(422);
      expect(json.detail).toEqual([
        {
          type: 'value_error',
          loc: ['body', 'search', 'provider_overrides', 'deepseek', key],
          msg: expect.stringMatching(/never sent/),
        },
      ]);
      expect(`${text}${server().logged()}`).not.toContain('203.0.113');
    }
    expect(server().sandbox.calls).toEqual([]);
  });
});

test.each<[readonly string[], readonly string[]]>([
  [['DEEPSEEK_API_KEY'], ['deepseek']],
  [['DEEPSEEK_API_KEY', 'KAGI_API_KEY'], ['kagi']],
])('with %j the default set is %j', async (names, slugs) => {
  const keys = Object.fromEntries(names.map((name) => [name, 'a-key-of-a-test']));
  const own = await startTestServer({ env: { ...NO_KEYS, SEARXNG_BASE_URL: undefined, ...keys } });
  try {
    const { runs } = await search(own, 'tides', { fallback: 'off' });
    expect(runs.map((run) => run.preprocessor_name)).toEqual(slugs);
  } finally {
    await own.stop();
  }
});
