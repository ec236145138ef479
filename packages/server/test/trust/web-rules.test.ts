import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { systemClock } from '@trawl/base';
import { ensureProject } from '@trawl/server';
import {
  type Answer,
  providerKey,
  type Request,
  startTestServer,
  type TestServer,
} from '@trawl/test-support/harness';
import { mcpMount, overHttp, textOf } from '@trawl/test-support/mcp-hosts';
import { storedText } from '@trawl/test-support/stored-text';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

const BOOTSTRAP = 'bootstrap-4Hq9Zs7Lm2Xv';
const GITHUB = `ghp_${'aB3dE6gH9'.repeat(4)}`;
const EMBEDDINGS = 'embeddings-7Gk2Wq9Rt';
const OTHER_KEY = `tk_${'Zz9'.repeat(14)}q`;

let folder: string;
let file: string;
let site: Server;
let port: number;
const asked: string[] = [];
let vendor: Server;
const sent: { readonly path: string; readonly text: string }[] = [];
let replies: Record<string, unknown> = {};
let server: TestServer;

const TEXT = 'How a rope is laid in a walk, from yarn to strand, and why it was a mile long.';

const listen = async (one: Server) => {
  await new Promise<void>((resolve) => {
    one.listen(0, '127.0.0.1', resolve);
  });
  return (one.address() as AddressInfo).port;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-rules-'));
  file = join(folder, 'rules.yaml');
  site = createServer((request, response) => {
    const { host = '', url = '/' } = { host: request.headers.host, url: request.url };
    asked.push(`${host.split(':')[0]}${url}`);
    const to = (target: string) => response.writeHead(302, { location: target }).end();
    if (url === '/away') return to(`http://localhost:${port}/page`);
    if (url === '/chain') return to('/chain2');
    if (url === '/chain2') return to(`http://LOCALHOST.:${port}/page`);
    if (url === '/leak') return to(`/page?k=${BOOTSTRAP}`);
    response.setHeader('content-type', 'text/html');
    if (url === '/refresh') {
      return response.end(
        `<meta http-equiv="refresh" content="0; url=http://localhost:${port}/page">`,
      );
    }
    response.end(`<title>Ropes</title><h1>Ropes</h1><p>${TEXT}</p><p>${TEXT} ${TEXT}</p>`);
  });
  port = await listen(site);
  vendor = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const path = request.url?.split('?')[0] ?? '';
    sent.push({ path, text: `${request.url} ${Buffer.concat(chunks)}` });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(replies[path] ?? {}));
  });
  const vendorUrl = `http://127.0.0.1:${await listen(vendor)}`;
  write({});
  server = await startTestServer({
    mounts: [mcpMount()],
    env: {
      WEB_RULES_FILE: file,
      BOOTSTRAP_API_KEY: BOOTSTRAP,
      TOPIC_EMBEDDINGS_URL: 'http://127.0.0.1:9',
      TOPIC_EMBEDDINGS_API_KEY: EMBEDDINGS,
      EXA_BASE_URL: `${vendorUrl}/exa`,
      TAVILY_BASE_URL: `${vendorUrl}/tavily`,
      JINA_BASE_URL: `${vendorUrl}/jina`,
      DEFAULT_SEARCH_PROVIDERS: 'exa',
      FETCH_CHAIN: 'direct',
      FETCH_ALLOW_PRIVATE_HOSTS: `localhost:${port},127.0.0.1:${port}`,
    },
  });
});
afterAll(async () => {
  await server.stop();
  site.close();
  vendor.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked.length = 0;
  sent.length = 0;
  replies = { '/exa/search': FIVE_ROWS };
});

const exaRows = (...urls: readonly string[]) => ({
  requestId: 'r',
  results: urls.map((url, index) => ({ id: url, url, title: `Row ${index + 1}`, text: TEXT })),
  costDollars: { total: 0.007 },
});
const FIVE_ROWS = exaRows(
  'https://www.good.example/1',
  'https://files.bad.example/2',
  'https://good.example/3',
  'https://BAD.example./4',
  'https://notbad.example/5',
);

/** Replaces the file at once, as editors and configuration managers do. */
function write(rules: object | string): void {
  const next = `${file}.next`;
  writeFileSync(next, typeof rules === 'string' ? rules : JSON.stringify(rules));
  renameSync(next, file);
}

/** What is in force. */
let used = '{}';

/** Uses these rules, and waits until they are in force. Each test that needs some names them. */
async function use(rules: object): Promise<void> {
  const wanted = JSON.stringify(rules);
  if (wanted === used) return;
  const count = () => server.logged().split('the web rules changed').length;
  const before = count();
  write(rules);
  await vi.waitFor(() => expect(count()).toBe(before + 1), { timeout: 5_000 });
  used = wanted;
}

const query = (text: string, search: object = {}) => ({
  user_input: { query: text },
  search: { providers: { include: ['exa'] }, num_results: 10, ...search },
});
const page = (path = '/page', name = '127.0.0.1') => `http://${name}:${port}${path}`;
const rowsOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200);
  return answer.json.preprocessor_runs[0].output_payload.fetched_results;
};
const recorded = async () =>
  (await server.call('GET', '/v1/sessions?limit=200')).json.sessions.length;

const readBack = ({ json }: Answer) =>
  server.call(
    'GET',
    `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`,
  );

const DENY = { hosts: { deny: ['bad.example', 'localhost'] } };

describe('a query with a key of this server or of a provider', () => {
  const exa = providerKey('exa');
  const leaks: readonly [string, object, string][] = [
    ['the bootstrap key', query(`what is ${BOOTSTRAP}`), 'user_input.query'],
    ["a provider's key", query(`curl -H "x-api-key: ${exa}"`), 'user_input.query'],
    ['any key of trawl', query(OTHER_KEY), 'user_input.query'],
    ['the key of the embeddings', query(`is ${EMBEDDINGS} one`), 'user_input.query'],
    [
      'one query of a batch',
      { ...query(''), user_input: [{ query: 'ropes' }, { query: `x ${BOOTSTRAP}` }] },
      'user_input[1].query',
    ],
    [
      'an override',
      query('ropes', { provider_overrides: { exa: { contents: { summary: { query: exa } } } } }),
      'search.provider_overrides',
    ],
    [
      'a name in an override',
      query('ropes', { provider_overrides: { exa: { contents: { [OTHER_KEY]: true } } } }),
      'search.provider_overrides',
    ],
  ];
  it.each(leaks)('is refused: %s', async (_name, body, place) => {
    const before = await recorded();
    const { status, json, text } = await server.search(body);
    expect([status, json.code, json.rule]).toEqual([403, 'refused_by_rule', 'keys']);
    expect(json.detail).toBe(
      `${place}: refused by the web rule keys, since it has a key of this server or of a provider; nothing was sent or paid`,
    );
    for (const key of [BOOTSTRAP, exa, OTHER_KEY]) expect(text).not.toContain(key);
    expect(sent).toEqual([]);
    expect(await recorded()).toBe(before);
  });

  it('is refused in a dry run, as an interaction and by a watch too', async () => {
    const body = query(`my ${BOOTSTRAP}`);
    const answers = [
      await server.call('POST', '/v1/search?dry_run=true', { body }),
      await server.call('POST', '/v1/interactions', { body }),
      await server.call('POST', '/v1/watches?dry_run=true', {
        body: { interval_minutes: 60, search: body },
      }),
      await server.call('POST', '/v1/watches', { body: { interval_minutes: 60, search: body } }),
    ];
    for (const { status, json, text } of answers) {
      expect([status, json.code, json.rule], text).toEqual([403, 'refused_by_rule', 'keys']);
    }
    expect(sent).toEqual([]);
  });

  it('is refused in the URL of a watch, which would store and show it', async () => {
    const body = {
      interval_minutes: 60,
      fetch: { urls: ['https://good.example/', `https://a.example/?k=${BOOTSTRAP}`] },
    };
    for (const path of ['/v1/watches', '/v1/watches?dry_run=true']) {
      const { status, json, text } = await server.call('POST', path, { body });
      expect([status, json.code, json.rule], text).toEqual([403, 'refused_by_rule', 'keys']);
      expect(json.detail).toMatch(/^fetch\.urls\[1\]: refused by the web rule keys/);
    }
    expect(await storedText(server.database)).not.toContain(BOOTSTRAP);
  });

  it('is refused by drop-in routes in the form of their vendor', async () => {
    const tavily = await server.call('POST', '/compat/tavily/search', {
      body: { query: `my ${BOOTSTRAP}` },
    });
    expect([tavily.status, tavily.json.detail.error]).toEqual([
      403,
      expect.stringContaining('refused by the web rule keys'),
    ]);
    const google = await server.call('GET', `/compat/google/customsearch/v1?q=${BOOTSTRAP}&cx=1`);
    expect([google.status, google.json.error.code]).toEqual([403, 403]);
    expect(google.json.error.message).toContain('refused by the web rule keys');
    expect(google.text).not.toContain(BOOTSTRAP);
    // a 403 of Serper means a wrong key, and its clients know no `user_input`
    const serper = await server.call('POST', '/compat/serper/search', {
      body: { q: `my ${BOOTSTRAP}` },
    });
    expect(serper.status).toBe(400);
    expect(serper.json.message).toMatch(/^q: refused by the web rule keys/);
    expect(sent).toEqual([]);
  });

  it('is refused over MCP in one sentence', async () => {
    const host = await overHttp(server);
    const result = (await host.callTool({
      name: 'web_search',
      arguments: { query: `my ${BOOTSTRAP}` },
    })) as CallToolResult;
    await host.close();
    expect(result.isError).toBe(true);
    expect(textOf(result).trim()).toBe(
      '403: user_input.query: refused by the web rule keys, since it has a key of this server or of a provider; nothing was sent or paid',
    );
  });
});

describe('a URL with a key', () => {
  it.each([
    `/page?k=${BOOTSTRAP}`,
    `/page/${encodeURIComponent(providerKey('exa'))}`,
    `/page?k=%62ootstrap-4Hq9Zs7Lm2Xv`,
    `/page?a=1#${OTHER_KEY}`,
  ])('is a blocked row, and is neither asked nor kept: %s', async (path) => {
    const options = { no_cache: true };
    const answer = await server.fetch({ urls: [page('/page?ok'), page(path)], options });
    const [good, refused] = rowsOf(answer);
    expect(good.status).toBe('succeeded');
    expect(refused).toMatchObject({
      url: `http://127.0.0.1:${port}/[redacted]`,
      status: 'failed',
      content: null,
      error: { code: 'blocked', reason: 'web_rule', rule: 'keys', attempts: 0, provider: null },
    });
    expect(refused.error.message).toContain('nothing was sent or paid');
    expect(asked).toEqual(['127.0.0.1/page?ok']);
    const read = await readBack(answer);
    for (const text of [answer.text, read.text, await storedText(server.database)]) {
      expect(text).not.toMatch(/bootstrap-4Hq9|%62ootstrap|planted-exa|Zz9Zz9/);
    }
  });

  it('is refused as the target of a redirect, and as the query of passages', async () => {
    const [row] = rowsOf(await server.fetch({ urls: [page('/leak')] }));
    expect([row.error.code, row.error.rule]).toEqual(['blocked', 'keys']);
    expect(asked).toEqual(['127.0.0.1/leak']);
    const { status, json } = await server.fetch({
      urls: [page()],
      options: { tier: 'extended', focus: { query: `find ${BOOTSTRAP}` } },
    });
    expect([status, json.error.code, json.error.rule, json.error.param]).toEqual([
      403,
      'refused_by_rule',
      'keys',
      'options.focus.query',
    ]);
    expect(json.detail).toBe(json.error.message);
  });
});

describe('when rules come', () => {
  const leaking = query(`who leaked ${GITHUB}`);
  const recording = query('ropes from the record', { max_age_seconds: 600, merge: true });
  const raw = query('raw parts', { tier: 'max', include_raw: true, max_age_seconds: 600 });
  const rawNow = query('raw parts of now', { tier: 'max', include_raw: true });
  const rawReply = {
    ...exaRows('https://good.example/1'),
    autoprompt: { seen: 'https://files.bad.example/x' },
  };
  const fetchAll = () => {
    const urls = [page('/away?cached'), page('/page?x', 'localhost'), page('/away')];
    return server.fetch({ urls, options: { tier: 'max' } });
  };
  /** Answers without any rules. */
  let before: Readonly<Record<'pages' | 'leaking' | 'recorded' | 'replayed' | 'raw', Answer>>;
  beforeAll(async () => {
    await use({});
    replies = { '/exa/search': FIVE_ROWS };
    const answers = {
      pages: await fetchAll(),
      leaking: await server.search(leaking),
      recorded: await server.search(recording),
      replayed: await server.search(query('ropes again')),
    };
    replies = { '/exa/search': rawReply };
    before = { ...answers, raw: await server.search(raw) };
    await use({ ...DENY, secrets: 'refuse' });
  });

  it('secrets are refused where the file says so', async () => {
    expect(before.leaking.status).toBe(200);
    const { status, json, text } = await server.search(leaking);
    expect([status, json.rule]).toEqual([403, 'secrets']);
    expect(text).not.toContain(GITHUB);
  });

  it('pages from the cache that came before a rule are not served', async () => {
    expect(rowsOf(before.pages).map(({ status }: { status: string }) => status)).toEqual(
      Array(3).fill('succeeded'),
    );
    const [stays, denied, led] = rowsOf(await fetchAll());
    expect([stays.status, stays.provider_chain[0].provider]).toEqual(['succeeded', 'cache']);
    expect([denied.error?.rule, led.error?.rule]).toEqual(['hosts.deny', 'hosts.deny']);
    expect([denied.content, led.content]).toEqual([null, null]);
  });

  it('a raw answer that shows a denied host is left out, from the record too', async () => {
    replies['/exa/search'] = rawReply;
    const [shown] = before.raw.json.preprocessor_runs;
    expect(JSON.stringify(shown.raw_payload)).toContain('bad.example');
    for (const one of [raw, rawNow]) {
      const { json, text } = await server.search(one);
      expect(json.preprocessor_runs[0].raw_payload).toBeNull();
      expect(text).toContain('raw_payload: left out');
      expect(text).not.toContain('bad.example/x');
    }
  });

  it('a recorded answer is served without rows that are denied now', async () => {
    const first = before.recorded;
    expect(first.json.preprocessor_runs[0].output_payload.results).toHaveLength(5);
    const { json } = await server.search(recording);
    const [run] = json.preprocessor_runs;
    expect(run.cache.state).toBe('hit');
    expect(run.output_payload.results.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3]);
    expect(JSON.stringify(run.output_payload.results)).not.toContain('//bad.example');
    expect(JSON.stringify(json.merged)).not.toContain('bad.example/2');
    expect(JSON.stringify(run.output_payload.warnings)).toContain('2 rows of a denied host');
    // what was recorded stays as it was
    const read = await readBack(first);
    expect(read.json.preprocessor_runs[0].output_payload.results).toHaveLength(5);
  });

  it('a replay follows the rules of now', async () => {
    const { interaction_id: id } = before.replayed.json;
    const replay = await server.call('POST', `/v1/interactions/${id}/replay`);
    expect(replay.json.preprocessor_runs[0].output_payload.results).toHaveLength(3);
  });
});

describe('with rules of the deployment', () => {
  it('URLs of denied hosts are blocked, however they are written, and others are read', async () => {
    await use(DENY);
    const urls = [
      page('/page?a', 'localhost'),
      page('/page?b', 'LOCALHOST'),
      page('/page?c', 'localhost.'),
      page('/page?d', 'loc%61lhost'),
      page('/page?e', 'ｌｏｃａｌｈｏｓｔ'),
      page('/page?f', 'www.localhost'),
      'https://bad.example:8443/',
      'https://a.b.BAD.example./x',
      page('/page?good'),
    ];
    const rows = rowsOf(await server.fetch({ urls, options: { no_cache: true } }));
    expect(rows.map(({ error }: { error: { rule?: string } | null }) => error?.rule)).toEqual([
      ...Array<string>(8).fill('hosts.deny'),
      undefined,
    ]);
    expect(rows.map(({ url }: { url: string }) => url)).toEqual(urls);
    expect(asked).toEqual(['127.0.0.1/page?good']);
  });

  it('a pinned fetch of denied URLs alone is a 200', async () => {
    await use(DENY);
    const answer = await server.fetch({
      urls: ['https://bad.example/'],
      options: { providers: ['tavily'] },
    });
    expect(rowsOf(answer)[0].error.rule).toBe('hosts.deny');
    expect(sent).toEqual([]);
  });

  it.each(['/away', '/chain', '/refresh'])('%s does not lead to a denied host', async (path) => {
    await use(DENY);
    const [row] = rowsOf(await server.fetch({ urls: [page(path)], options: { tier: 'max' } }));
    expect(row.error).toMatchObject({ code: 'blocked', reason: 'web_rule', rule: 'hosts.deny' });
    expect(row.content).toBeNull();
    expect(asked.filter((one) => one.toLowerCase().startsWith('localhost'))).toEqual([]);
  });

  it('no other provider is asked after such a redirect', async () => {
    await use(DENY);
    const options = { providers: ['direct', 'tavily'], tier: 'max' };
    const [row] = rowsOf(await server.fetch({ urls: [page('/away')], options }));
    expect(row.provider_chain.map(({ provider }: { provider: string }) => provider)).toEqual([
      'direct',
    ]);
    expect(row.error.rule).toBe('hosts.deny');
    expect(sent).toEqual([]);
  });

  it('a page of another final address is thrown away, and its cost stays', async () => {
    await use(DENY);
    replies['/tavily/extract'] = {
      results: [{ url: 'https://www.bad.example/moved', raw_content: `${TEXT} ${TEXT} ${TEXT}` }],
      failed_results: [],
      usage: { credits: 1 },
    };
    const options = { providers: ['tavily'], tier: 'max' };
    const answer = await server.fetch({ urls: ['https://good.example/short'], options });
    const [row] = rowsOf(answer);
    expect(row.error).toMatchObject({
      code: 'blocked',
      reason: 'web_rule',
      rule: 'hosts.deny',
      provider: 'tavily',
      attempts: 1,
    });
    expect(row.provider_chain).toMatchObject([{ outcome: 'failed', code: 'blocked' }]);
    expect(answer.text).not.toContain(TEXT);
    const { json } = await server.call('GET', '/v1/usage?group_by=provider');
    const tavily = json.rows.find(({ provider }: { provider: string }) => provider === 'tavily');
    expect(tavily).toMatchObject({ calls: 1 });
    expect(tavily.cost_usd).toBeGreaterThan(0);
    expect(await storedText(server.database)).not.toContain('bad.example/moved');
  });

  it('the final address that a vendor reports counts, and not what the page calls itself', async () => {
    await use(DENY);
    replies['/jina/'] = {
      code: 200,
      data: {
        url: 'https://www.bad.example/moved',
        title: 'Ropes',
        content: `${TEXT} ${TEXT} ${TEXT}`,
        external: { canonical: { 'https://good.example/short': {} } },
        usage: { tokens: 40 },
      },
    };
    const urls = ['https://good.example/short'];
    const answer = await server.fetch({ urls, options: { providers: ['jina'] } });
    expect(rowsOf(answer)[0].error).toMatchObject({ rule: 'hosts.deny', provider: 'jina' });
    expect(answer.text).not.toContain(TEXT);
    const probe = await server.call('POST', '/v1/providers/jina/probe', {
      body: { operation: 'fetch', url: urls[0] },
    });
    expect([probe.status, probe.json.status, probe.json.error?.code], probe.text).toEqual([
      200,
      'page_failed',
      'blocked',
    ]);
  });

  it('parts of denied hosts do not stay, wherever they are', async () => {
    const [row] = exaRows('https://good.example/1').results;
    replies['/exa/search'] = {
      ...exaRows(),
      results: [
        { ...row, extras: { links: ['https://bad.example/l', 'https://good.example/l'] } },
        {
          ...exaRows('https://good.example/2').results[0],
          parent: { uri: 'https://bad.example/p' },
        },
        {
          ...exaRows('https://good.example/3').results[0],
          parts: [{ pageUrl: 'https://bad.example/q' }],
        },
      ],
    };
    await use(DENY);
    const { json, text } = await server.search(query('parts', { tier: 'max' }));
    expect(json.preprocessor_runs[0].output_payload.results).toHaveLength(3);
    expect(text).toContain('good.example/l');
    expect(text).not.toContain('bad.example');
  });

  it('rows of denied hosts are dropped and counted, with the raw answer', async () => {
    await use(DENY);
    const { json, text } = await server.search(
      query('ropes', { tier: 'max', include_raw: true, merge: true }),
    );
    const [run] = json.preprocessor_runs;
    expect(
      run.output_payload.results.map(({ url, rank }: { url: string; rank: number }) => [rank, url]),
    ).toEqual([
      [1, 'https://www.good.example/1'],
      [2, 'https://good.example/3'],
      [3, 'https://notbad.example/5'],
    ]);
    const warned = run.output_payload.warnings.map(({ message }: { message: string }) => message);
    expect(warned).toContain('web rule hosts.deny: 2 rows of a denied host were dropped');
    expect(warned).toContain('raw_payload: left out, since it has parts that a web rule dropped');
    expect(run.raw_payload).toBeNull();
    expect(json.merged[0].rows).toHaveLength(3);
    expect(text).not.toMatch(/bad\.example\/2|BAD\.example|bad\.example\/4/);
  });

  it('a dry run of a fetch says what would be refused', async () => {
    await use(DENY);
    const { json } = await server.call('POST', '/v1/fetch?dry_run=true', {
      body: { urls: ['https://bad.example/', page()] },
    });
    expect(
      json.calls.map(({ rule, cost_usd }: { rule?: string; cost_usd: number }) => [rule, cost_usd]),
    ).toEqual([
      ['hosts.deny', 0],
      [undefined, 0],
    ]);
  });

  it('drop-ins and MCP show no page of a denied host', async () => {
    await use(DENY);
    const reader = await server.call('POST', '/compat/tavily/extract', {
      body: { urls: ['https://bad.example/'] },
    });
    expect(reader.json.failed_results[0].error).toContain('hosts.deny');
    const host = await overHttp(server);
    const result = (await host.callTool({
      name: 'web_fetch',
      arguments: { urls: ['https://bad.example/'] },
    })) as CallToolResult;
    await host.close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('refused by the web rule hosts.deny');
    expect(textOf(result)).toContain('nothing was sent or paid');
  });

  it('an allow list leaves its hosts alone', async () => {
    await use({ hosts: { allow: ['good.example', '127.0.0.1'] } });
    const { json } = await server.search(query('ropes'));
    const { results, warnings } = json.preprocessor_runs[0].output_payload;
    expect(results).toHaveLength(2);
    expect(warnings.map(({ message }: { message: string }) => message)).toContain(
      'web rule hosts.allow: 3 rows of a denied host were dropped',
    );
    const [row] = rowsOf(await server.fetch({ urls: ['https://elsewhere.example/'] }));
    expect(row.error.rule).toBe('hosts.allow');
  });
});

describe('with rules of a project', () => {
  const projectKey = async (rules: object) => {
    const name = `rules ${Math.random()}`;
    const { id } = await ensureProject(server.server.store.keys, systemClock, name);
    const made = await server.makeKey(name, ['search', 'fetch', 'read']);
    await server.server.store.keys.setWebRules(id, rules);
    return made.key;
  };
  const ask = (key: string): Request => ({ key });

  it('they hold for its keys alone, and those of the deployment too', async () => {
    await use({});
    const key = await projectKey({ hosts: { deny: ['good.example'] } });
    const rows = async (of: string) => {
      const { json } = await server.search(query('ropes'), ask(of));
      return json.preprocessor_runs[0].output_payload.results.length;
    };
    expect([await rows(key), await rows(server.key)]).toEqual([3, 5]);
    await use(DENY);
    expect([await rows(key), await rows(server.key)]).toEqual([1, 3]);
  });

  it('an allow list there does not open what the deployment denies', async () => {
    await use(DENY);
    const key = await projectKey({ hosts: { allow: ['bad.example'] }, secrets: 'off' });
    const urls = ['https://bad.example/', 'https://good.example/'];
    const rows = rowsOf(await server.fetch({ urls }, ask(key)));
    expect(rows.map(({ error }: { error: { rule: string } }) => error.rule)).toEqual([
      'hosts.deny',
      'hosts.allow',
    ]);
  });
});

describe('the file', () => {
  it('that becomes invalid leaves the rules in use, and the log says why', async () => {
    await use(DENY);
    const broken = async (text: string, words: string) => {
      write(text);
      await expect.poll(() => server.logged(), { timeout: 5_000 }).toContain(words);
      const [row] = rowsOf(await server.fetch({ urls: ['https://bad.example/'] }));
      expect(row.error.rule).toBe('hosts.deny');
    };
    await broken('hosts: [', 'is neither YAML nor JSON');
    await broken(
      'hosts: {deny: ["https://a.example/x"]}',
      "hosts.deny[0]: 'https://a.example/x' is not a host",
    );
    await broken('{"hosts": {"deny": []}, "hosts": {}}', 'duplicated mapping key');
    await broken('hosts: {deny: [a.*.example]}', "hosts.deny[0]: 'a.*.example' has a wildcard");
    await broken('\0\u0001', 'is not UTF-8 text');
    rmSync(file);
    await expect.poll(() => server.logged()).toContain('cannot be read (ENOENT)');
    const [row] = rowsOf(await server.fetch({ urls: ['https://bad.example/'] }));
    expect(row.error.rule).toBe('hosts.deny');
    expect(server.logged()).toContain('the rules in use stay');
    await use({});
  });

  it.each([
    ['missing', undefined, 'cannot be read (ENOENT)'],
    ['of another form', 'hosts: {denied: [a.example]}', 'Unrecognized key: "denied"'],
    ['with a URL', 'hosts: {deny: [ok.example, "https://a.example/x"]}', 'hosts.deny[1]: '],
    ['with a number', 'hosts: {deny: [17]}', 'hosts.deny[0]: '],
    ['too large', 'x'.repeat(17 * 1024 * 1024), 'is larger than 16 MB'],
  ])('%s stops the start', (_name, text, words) => {
    const path = join(folder, 'wrong.yaml');
    rmSync(path, { force: true });
    if (text !== undefined) writeFileSync(path, text);
    expect(() => readConfig({ WEB_RULES_FILE: path })).toThrow(words);
  });

  it('names entries of allow that have no effect', async () => {
    await use({
      hosts: {
        deny: ['a.example', '*.b.example'],
        allow: ['x.a.example', 'c.b.example', 'd.example'],
      },
    });
    await expect.poll(() => server.logged()).toContain('x.a.example');
    const line = server
      .logged()
      .split('\n')
      .findLast((one) => one.includes('have no effect'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      hosts: ['x.a.example', 'c.b.example'],
      count: 2,
    });
  });
});
