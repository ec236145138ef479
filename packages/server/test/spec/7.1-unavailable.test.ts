import { randomUUID } from 'node:crypto';
import { providerKey } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import {
  callsTo,
  fetchPages,
  ledgerOf,
  pageAt,
  type Row,
  readBack,
  UUID,
  VENDORS,
} from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const keyless = useServer({ env: { TAVILY_API_KEY: undefined } });
const breaking = useServer({ env: { BREAKER: 'on' } });

/** The one retry of a provider that is pinned alone comes at once. */
const down = (name: string) => pageAt('', `[[${name}:status=503,retry-after=0]]`);

describe('7.1 provider_unavailable', () => {
  test('7.1 provider_unavailable: a 502 that names the recorded interaction', async () => {
    const urls = [down('tavily'), down('tavily')];
    const answer = await server().fetch({ urls, options: { providers: ['tavily'] } });
    expect(answer.status, answer.text).toBe(502);
    const { error, ...rest } = answer.json;
    expect(rest).toEqual({});
    expect(error).toEqual({
      code: 'provider_unavailable',
      message: expect.stringContaining('tavily'),
      interaction_id: expect.stringMatching(UUID),
      session_id: expect.stringMatching(UUID),
      causes: [{ provider: 'tavily', code: 'upstream_error' }],
    });
    expect(answer.text).not.toContain('5fJ2');
  });

  test('7.1 provider_unavailable: GET reads the failed interaction; error.rows has each URL', async () => {
    const urls = [down('tavily'), pageAt('', '[[tavily:status=401]]')];
    const metadata = { a: 1 };
    const answer = await server().fetch({ urls, options: { providers: ['tavily'] }, metadata });
    const { json: read } = await readBack(server(), answer.json.error);
    expect(read).toMatchObject({
      status: 'failed',
      user_input: { urls },
      metadata,
      normalized_schema_version: null,
      routing: null,
      postprocessor_runs: [],
    });
    expect(read.preprocessor_runs).toHaveLength(1);
    const [run] = read.preprocessor_runs;
    expect(run).toMatchObject({
      preprocessor_name: 'web_fetch',
      status: 'failed',
      output_payload: null,
      raw_payload: null,
      error: { code: 'provider_unavailable' },
    });
    expect(run.error.rows.map(({ url }: Row) => url)).toEqual(urls);
    expect(run.error.rows.map(({ error }: Row) => [error.code, error.provider])).toEqual([
      ['upstream_error', 'tavily'],
      ['invalid_credential', 'tavily'],
    ]);
    for (const row of run.error.rows) expect(Object.keys(row)).toEqual(['url', 'error']);
  });

  test('7.1 provider_unavailable: each provider and reason is a cause once', async () => {
    const body = {
      urls: [
        pageAt('', '[[*:status=503]]'),
        pageAt('', '[[tavily:status=401]] [[exa:status=503]]'),
      ],
      options: { providers: ['tavily', 'exa'] },
    };
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await server().call('POST', '/v1/fetch', { body, headers });
    const again = await server().call('POST', '/v1/fetch', { body, headers });
    expect(first.json.error.causes).toEqual(
      expect.arrayContaining([
        { provider: 'tavily', code: 'upstream_error' },
        { provider: 'tavily', code: 'invalid_credential' },
        { provider: 'exa', code: 'upstream_error' },
      ]),
    );
    expect(first.json.error.causes).toHaveLength(3);
    expect(again.json).toEqual(first.json);
  });

  test('7.1 provider_unavailable: history and trajectory show it', async () => {
    const body = { urls: [down('tavily')], options: { providers: ['tavily'] } };
    const { session_id } = (await server().fetch(body)).json.error;
    const history = await server().call('GET', `/v1/sessions/${session_id}/history`);
    expect(history.json.interactions).toMatchObject([{ status: 'failed' }]);
    const tree = await server().call('GET', `/v1/sessions/${session_id}/trajectory`);
    expect(tree.status, tree.text).toBe(200);
  });

  test('7.1 provider_unavailable: it is billed: the ledger has every call', async () => {
    const providers = ['tavily', 'exa'];
    const urls = [pageAt('', '[[*:status=503]]')];
    const { json } = await server().fetch({ urls, options: { providers } });
    expect(await ledgerOf(server(), json.error.interaction_id)).toEqual([
      'tavily 1 failed',
      'exa 1 failed',
    ]);
  });

  test('7.1 provider_unavailable: the session is the one given', async () => {
    const session_id = randomUUID();
    const body = { urls: [down('exa')], options: { providers: ['exa'] }, session_id };
    expect((await server().fetch(body)).json.error.session_id).toBe(session_id);
  });

  test.each<[fault: string, code: string]>([
    ['status=401', 'invalid_credential'],
    ['status=429', 'rate_limited'],
    ['status=500', 'upstream_error'],
    ['status=503', 'upstream_error'],
    ['reset', 'network_error'],
    ['broken-json', 'bad_response'],
  ])(
    '7.1 provider_unavailable: %s is not a verdict on the page, at any vendor',
    async (fault, code) => {
      const asked = VENDORS.map(async (name) => {
        const urls = [pageAt('', `[[${name}:${fault}]]`)];
        const answer = await server().fetch({ urls, options: { providers: [name, 'brightdata'] } });
        const rows = answer.status === 502 ? await rowsOf(answer.json.error) : [];
        return [name, answer.status, rows[0]?.error.code];
      });
      expect(await Promise.all(asked)).toEqual(VENDORS.map((name) => [name, 502, code]));
    },
  );

  test('7.1 provider_unavailable: pinned without a credential, nothing is sent', async () => {
    const { status, json } = await keyless().fetch({
      urls: [pageAt()],
      options: { providers: ['tavily'] },
    });
    expect([status, json.error.code]).toEqual([502, 'provider_unavailable']);
    const [row] = await rowsOf(json.error, keyless());
    expect(row.error).toMatchObject({ code: 'missing_credential', provider: 'tavily' });
    expect(keyless().sandbox.calls).toHaveLength(0);
  });

  test('7.1 provider_unavailable: pinned to one whose circuit is open', async () => {
    const body = { urls: [pageAt()], options: { providers: ['tavily'] } };
    breaking().sandbox.inject('tavily', 'status=401', { times: 1 });
    await breaking().fetch(body);
    const { status, json } = await breaking().fetch(body);
    expect([status, json.error.code]).toEqual([502, 'provider_unavailable']);
    const [row] = await rowsOf(json.error, breaking());
    expect(row.error.code).toBe('circuit_open');
    expect(callsTo(breaking(), 'tavily')).toHaveLength(1);
  });

  test('7.1 provider_unavailable: keys are never quoted, even if the vendor echoes them', async () => {
    const urls = [pageAt('', '[[*:status=401,echo-key]]')];
    const answer = await server().fetch({ urls, options: { providers: [...VENDORS] } });
    const read = await readBack(server(), answer.json.error);
    for (const text of [answer.text, read.text])
      for (const name of VENDORS) expect(text).not.toContain(providerKey(name));
  });
});

async function rowsOf(ids: Row, at = server()): Promise<Row[]> {
  return (await readBack(at, ids)).json.preprocessor_runs[0].error.rows;
}

describe('7.1 not provider_unavailable', () => {
  test('7.1 an unpinned chain without an answer is a 200', async () => {
    const { row } = await fetchPages(server(), pageAt('', '[[*:status=503]]'));
    expect(row.status).toBe('failed');
  });

  test('7.1 one URL that was reached makes it a 200; the others are failed rows', async () => {
    const urls = [down('tavily'), pageAt('missing'), down('tavily')];
    const { rows } = await fetchPages(server(), urls, { providers: ['tavily'] });
    expect(rows.map(({ error }) => error?.code)).toEqual([
      'upstream_error',
      expect.any(String),
      'upstream_error',
    ]);
  });

  test('7.1 one provider that reached the page is enough', async () => {
    const url = pageAt('blocked', '[[tavily:status=503]] [[linkup:status=503]]');
    const { row } = await fetchPages(server(), url, { providers: ['tavily', 'exa', 'linkup'] });
    expect(row.error).toMatchObject({ code: 'blocked', provider: 'exa', attempts: 3 });
  });

  const WORDS = [
    ...['missing', 'gone', 'blocked', 'error', 'unknown-host', 'slow', 'too-large', 'archive'],
    ...['empty', 'shell', 'consent', 'soft-404', 'paywall', 'mojibake', 'base64'],
  ];
  test.each(VENDORS)('7.1 pinned to %s: a failure of the page is a row of a 200', async (name) => {
    const asked = WORDS.map(async (word) => {
      const body = { urls: [pageAt(word)], options: { providers: [name] } };
      return [word, (await server().fetch(body)).status];
    });
    expect(await Promise.all(asked)).toEqual(WORDS.map((word) => [word, 200]));
  });

  test.each(['http://127.0.0.1/', 'http://localhost/', 'http://printer/', 'http://[::1]/'])(
    '7.1 a private address is a row of a 200, even if pinned: %s',
    async (url) => {
      const { row } = await fetchPages(server(), url, { providers: ['tavily'] });
      expect(row.error.code).toBe('forbidden_address');
    },
  );

  test('7.1 provider_unavailable: a URL that is refused here does not hide that no other was reached', async () => {
    const { status, json } = await server().call('POST', '/v1/fetch', {
      body: {
        urls: ['http://127.0.0.1/x', down('exa')],
        options: { providers: ['exa'] },
      },
    });
    expect([status, json.error.code]).toEqual([502, 'provider_unavailable']);
  });
});
