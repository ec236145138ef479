import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@trawl/base';
import { PreprocessorRoster } from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { storedText } from '@trawl/test-support/stored-text';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueKey, type NewKey } from '../../src/admin/key-admin.ts';

const TOKEN = 'planted-token-5fJ2/"k+Zq=&x';
const KEY = 'planted-key-8Hq1 %41<b>';

interface Received {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let folder: string;
let vendor: Server;
let address: string;
let server: TestServer;
const received: Received[] = [];

const HITS = [
  { link: 'https://a.example/one?utm_source=x', name: 'One', text: 'First', day: '2026-05-01' },
  { link: 'https://b.example/two', name: 'Two', text: 'Second', day: '3 days ago', rating: 4 },
  { link: 'https://c.example/three', name: 3, text: 'Third', day: '2020-01-01' },
];

/** The query decides how it answers. */
function answer(request: Received, response: ServerResponse): void {
  const json = (value: unknown, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  const asked = `${request.url} ${request.body}`;
  if (asked.includes('redirect')) {
    response.writeHead(302, { location: `${address}/elsewhere` }).end();
  } else if (asked.includes('html')) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>Sign in</h1></html>');
  } else if (asked.includes('moved')) json({ items: HITS });
  else if (asked.includes('refused')) json({ your: request.headers, url: request.url }, 401);
  else if (asked.includes('echo')) {
    const { authorization } = request.headers;
    const link = `https://a.example/?k=${encodeURIComponent(KEY)}`;
    json({ data: { items: [{ link, name: authorization, text: request.url }] } });
  } else json({ data: { items: HITS } });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-declared-'));
  vendor = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
    received.push(seen);
    answer(seen, response);
  });
  await new Promise<void>((resolve) => {
    vendor.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  const file = join(folder, 'providers.yaml');
  writeFileSync(
    file,
    `
providers:
  - slug: acme-docs
    name: Acme documents
    url: ${address}/search?format=json
    headers: { Authorization: "Bearer \${ACME_TOKEN}", x-team: search }
    query: { q: "{query}", size: "{num_results}", key: "\${ACME_KEY}" }
    results: data.items
    fields: { url: link, title: name, summary: text, publish_date: day }
    price_usd: 0.002
    count: { max: 5 }
    filters: { include_domains: sites, language: lang }
    data_use: { training: "no", retention: none, region: EU }
  - slug: serp_example
    url: ${address}/serp
    body: { search: { text: "{query}" } }
    results: data.items
    fields: { url: link, title: name }
  - slug: nested
    url: ${address}/nested
    body: { text: "{query}", options: { top: "{num_results}" } }
    results: data.items
    fields: { url: link }
    count: { max: 2 }
`,
  );
  server = await startTestServer({
    env: {
      PROVIDERS_FILE: file,
      ACME_TOKEN: TOKEN,
      ACME_KEY: KEY,
      SEARCH_FALLBACK: 'acme-docs',
      EXA_API_KEY: undefined,
      BRAVE_API_KEY: undefined,
      LOG_LEVEL: 'trace',
    },
  });
});
beforeEach(() => {
  received.length = 0;
});
afterAll(async () => {
  await server.stop();
  vendor.close();
  rmSync(folder, { recursive: true });
});

const ask = (query: string, search: object = {}, key?: string) =>
  server.search(
    { user_input: { query }, search: { providers: { include: ['acme-docs'] }, ...search } },
    key === undefined ? {} : { key },
  );

async function keyWith(policy: Partial<NewKey>): Promise<string> {
  const { key } = await issueKey(server.server.store.keys, systemClock, {
    projectId: server.projectId,
    name: 'narrow',
    permissions: ['search', 'read'],
    expiresAt: null,
    ...policy,
  });
  return key;
}

describe('a declared provider', () => {
  it('is in the roster as one that is set up, before services without a key', async () => {
    const { json } = await server.call('GET', '/v1/preprocessors', { key: null });
    const { preprocessors } = PreprocessorRoster.parse(json);
    const slugs = preprocessors.map(({ slug }) => slug);
    expect(slugs.indexOf('acme-docs')).toBe(slugs.indexOf('searxng') - 3);
    expect(preprocessors.find(({ slug }) => slug === 'acme-docs')).toMatchObject({
      name: 'Acme documents',
      configured: true,
      requires_key: true,
      max_results: 5,
      count_control: 'native',
      docs_url: null,
      filters: { include_domains: 'native', language: 'native', country: 'unsupported' },
      data_use: { training: 'no', retention: 'none', region: 'EU', checked: null },
    });
    expect(preprocessors.find(({ slug }) => slug === 'serp_example')).toMatchObject({
      requires_key: false,
      count_control: 'trim',
      data_use: { training: 'unknown' },
    });
  });

  it('is asked with its secrets, and answers with rows, warnings and cost', async () => {
    const { status, json } = await ask('tides & power', { tier: 'max', num_results: 9 });
    expect(status).toBe(200);
    expect(received).toHaveLength(1);
    const { url = '', headers } = received[0] ?? {};
    expect(Object.fromEntries(new URL(url, address).searchParams)).toEqual({
      format: 'json',
      q: 'tides & power',
      size: '5',
      key: KEY,
    });
    expect([headers?.authorization, headers?.['x-team']]).toEqual([`Bearer ${TOKEN}`, 'search']);
    const [run] = json.preprocessor_runs;
    expect(run.request_payload).toMatchObject({
      method: 'GET',
      url: `${address}/search?format=json&q=tides+%26+power&size=5`,
      body: null,
    });
    expect(run.request_payload.headers).not.toHaveProperty('authorization');
    const { results, warnings } = run.output_payload;
    expect(results).toMatchObject([
      { url: 'https://a.example/one', title: 'One', rank: 1, publish_date: '2026-05-01' },
      {
        summary: 'Second',
        publish_date: null,
        enrichments: { day: '3 days ago', rating: 4 },
        source: { domain: 'b.example' },
      },
      { title: null, enrichments: { name: 3 } },
    ]);
    const messages = warnings.map(({ message }: { message: string }) => message);
    expect(messages).toEqual(
      expect.arrayContaining([
        'num_results: acme-docs takes at most 5; 9 was lowered to 5',
        'excerpt: acme-docs is declared without a path for it',
        'title: acme-docs sent a value at name that is not a text in 1 of 3 rows',
        'publish_date: acme-docs sent a value at day that is not a date in 1 of 3 rows',
      ]),
    );
    const usage = await server.call('GET', '/v1/usage?group_by=provider');
    const own = usage.json.rows.find(
      ({ provider }: { provider: string }) => provider === 'acme-docs',
    );
    expect(own.cost_usd).toBeGreaterThanOrEqual(0.002);
  });

  it('is a candidate of the default set, and its price is in a dry run', async () => {
    const body = { user_input: { query: 'tides' } };
    const { json } = await server.call('POST', '/v1/search?dry_run=true', {
      body: { ...body, search: { providers: { include: ['acme-docs', 'serp_example'] } } },
    });
    expect(json.calls).toMatchObject([
      { provider: 'acme-docs', cost_usd: 0.002, cost_kind: 'known', data_use: { training: 'no' } },
      { provider: 'serp_example', cost_usd: null, cost_kind: 'unknown' },
    ]);
    expect(received).toEqual([]);
  });

  it('gets filters in its parameters, and its rows are checked for them', async () => {
    const filters = { include_domains: ['a.example', 'c.example'], language: 'de', country: 'DE' };
    const dates = { published_after: '2026-01-01' };
    const { json } = await ask('tides', { filters: { ...filters, ...dates } });
    const { searchParams } = new URL(received[0]?.url ?? '', address);
    expect([searchParams.get('sites'), searchParams.get('lang')]).toEqual([
      'a.example,c.example',
      'de',
    ]);
    const { output_payload: output } = json.preprocessor_runs[0];
    expect(output.filters).toEqual({
      include_domains: 'native',
      published_after: 'checked',
      country: 'unsupported',
      language: 'native',
    });
    expect(output.results.map(({ url }: { url: string }) => url)).toEqual([
      'https://a.example/one',
    ]);
  });

  it('gets a query of any text as it is, and no override of a secret', async () => {
    await ask(`{num_results} \${ACME_KEY} "x"`, {
      provider_overrides: { 'acme-docs': { size: 3, extra: true } },
    });
    const { searchParams } = new URL(received[0]?.url ?? '', address);
    expect(searchParams.get('q')).toBe(`{num_results} \${ACME_KEY} "x"`);
    expect([searchParams.get('size'), searchParams.get('extra')]).toEqual(['3', 'true']);
    const overridden = await ask('tides', { provider_overrides: { 'acme-docs': { key: 'mine' } } });
    expect([overridden.status, overridden.text]).toEqual([400, expect.stringContaining('key')]);
  });

  it('is asked by POST with a body', async () => {
    const { json } = await ask('tides', {
      providers: { include: ['serp_example'] },
      num_results: 2,
    });
    expect(received[0]).toMatchObject({ method: 'POST', url: '/serp' });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ search: { text: 'tides' } });
    expect(json.preprocessor_runs[0].output_payload.results).toHaveLength(2);
  });

  it('takes no more rows than it may, wherever its count is', async () => {
    const { json } = await ask('tides', {
      providers: { include: ['nested'] },
      provider_overrides: { nested: { options: { top: 50 } } },
    });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ text: 'tides', options: { top: 2 } });
    const { results, warnings } = json.preprocessor_runs[0].output_payload;
    expect(results).toHaveLength(2);
    expect(warnings).toContainEqual({
      code: 'count_clamped',
      message: 'num_results: nested takes at most 2; top 50 of provider_overrides was lowered to 2',
    });
  });

  it('runs where others failed', async () => {
    const { json } = await server.search({
      user_input: { query: 'tides [[tavily:status=500]]' },
      search: { providers: { include: ['tavily'] } },
    });
    expect(
      json.preprocessor_runs.map((run: { preprocessor_name: string; status: string }) => [
        run.preprocessor_name,
        run.status,
      ]),
    ).toEqual([
      ['tavily', 'failed'],
      ['acme-docs', 'succeeded'],
    ]);
  });
});

describe('what a key may use', () => {
  it('names a declared provider as any other', async () => {
    const only = await keyWith({ allowedProviders: ['acme-docs'] });
    expect((await ask('tides', {}, only)).status).toBe(200);
    const refused = await ask('tides', { providers: { include: ['serp_example'] } }, only);
    expect([refused.status, refused.json.detail]).toEqual([
      403,
      'search.providers.include: this API key may not use serp_example; it may use: acme-docs',
    ]);
  });

  it('rests on what the file says of training', async () => {
    const careful = await keyWith({ noTraining: true });
    expect((await ask('tides', {}, careful)).status).toBe(200);
    const refused = await ask('tides', { providers: { include: ['serp_example'] } }, careful);
    expect([refused.status, refused.json.detail]).toEqual([
      403,
      expect.stringContaining('it may use: acme-docs, searxng'),
    ]);
  });

  it('is checked in the profile of a key', async () => {
    const profile = { search: { providers: { include: ['acme-docs'] } } };
    const key = await keyWith({ profile });
    const { json } = await server.search({ user_input: { query: 'tides' } }, { key });
    expect(json.preprocessor_runs[0].preprocessor_name).toBe('acme-docs');
  });
});

describe('a declared provider that fails', () => {
  it.each([
    ['html', 'bad_response', /answered with something other than JSON/],
    [
      'moved',
      'bad_response',
      /^acme-docs sent no answer with a list at data\.items .*PROVIDERS_FILE/,
    ],
    ['redirect', 'upstream_error', /redirect, which is not followed/],
    ['refused', 'invalid_credential', /check ACME_TOKEN, ACME_KEY in the environment/],
  ])('says what is wrong: %s', async (query, code, message) => {
    const { json } = await ask(query, { fallback: 'off' });
    const [{ error }] = json.preprocessor_runs;
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(received.map(({ url }) => url)).not.toContain('/elsewhere');
  });
});

it('shows its secrets nowhere, however they are echoed', async () => {
  const answers = [
    await ask('echo', { tier: 'max', include_raw: true, fallback: 'off' }),
    await ask('refused', { include_raw: true, fallback: 'off' }),
  ];
  const [first] = answers;
  const read = await server.call('GET', `/v1/interactions/${first?.json.interaction_id}`);
  expect(first?.json.preprocessor_runs[0].output_payload.results[0].title).toBe(
    'Bearer [redacted]',
  );
  const shown = [
    ...answers.map(({ text }) => text),
    read.text,
    await storedText(server.database),
    server.logged(),
  ].join('\n');
  for (const secret of [TOKEN, KEY]) {
    const escaped = JSON.stringify(secret).slice(1, -1);
    const form = new URLSearchParams({ k: secret }).toString().slice(2);
    for (const text of [secret, escaped, form, encodeURIComponent(secret)]) {
      expect(shown).not.toContain(text);
    }
  }
});
