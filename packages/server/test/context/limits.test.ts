import { systemClock } from '@trawl/base';
import { issueKey } from '@trawl/server';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@trawl/test-support/harness';
import { extractProgram } from '@trawl/test-support/threads';
import { afterEach, describe, expect, test } from 'vitest';
import { type ComposedWeb, composedWeb, filler } from './support/composed-web.ts';

const QUERY = 'When did the first pump run?';
const OTHER_KEY = `tk_${'Zz9'.repeat(14)}q`;

let web: ComposedWeb;
let server: TestServer;
async function start(env: TestServerOptions['env'] = {}, more: TestServerOptions = {}) {
  web = await composedWeb();
  server = await startTestServer({ ...more, env: { ...web.env, ...env } });
  const names = ['a', 'b', 'c', 'd'];
  web.pages = Object.fromEntries(
    names.map((name, at) => [
      name,
      { title: name, body: filler(at, 6), summary: `Summary ${name} of a pump.` },
    ]),
  );
  web.found = { exa: ['a', 'b', 'c'], brave: ['b', 'd'] };
}
afterEach(async () => {
  await server.stop();
  await web.stop();
});

const ask = (body: object = {}, request: object = {}, path = '/v1/context') =>
  server.call('POST', path, {
    body: { query: QUERY, fetch: { no_cache: true }, ...body },
    ...request,
  });
const keyWith = async (policy: object) =>
  (
    await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'narrow',
      permissions: ['search', 'fetch', 'read'],
      expiresAt: null,
      ...policy,
    })
  ).key;
const pagesAsked = () => web.asked.filter((path) => path.startsWith('/p/'));
type LeftOut = { url: string; reason: string };
const reasonOf = (json: { context: { left_out: LeftOut[] } }, name: string) =>
  json.context.left_out.find(({ url }) => url === web.urlOf(name))?.reason;

describe('a context whose search takes all the time', () => {
  test('records what was not read, and a repeat pays nothing', async () => {
    await start({ REQUEST_DEADLINE_MS: '1000' });
    // afterwards no thread has to start
    await ask({ max_pages: 1 });
    web.asked.length = 0;
    web.found.exa = 'hang';
    const headers = { 'idempotency-key': 'late' };
    const first = await ask({}, { headers });
    expect(first.status).toBe(200);
    expect(pagesAsked()).toEqual([]);
    expect([reasonOf(first.json, 'b'), reasonOf(first.json, 'd')]).toEqual(['time', 'time']);
    const { session_id, fetch_interaction_id: id } = first.json;
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${id}`;
    const { json } = await server.call('GET', path);
    const rows = json.preprocessor_runs[0].output_payload.fetched_results;
    expect(rows.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      'timeout',
      'timeout',
    ]);
    web.found.exa = ['a'];
    const asked = web.asked.length;
    expect((await ask({}, { headers })).text).toBe(first.text);
    expect(web.asked).toHaveLength(asked);
  });
});

describe('a context from the record', () => {
  test('has its pages, whatever the key may fetch today', async () => {
    await start();
    const asked = { max_pages: 2, fetch: { no_cache: true, providers: ['direct'] } };
    const { json } = await ask(asked);
    const key = await keyWith({
      replaySession: json.session_id,
      allowedProviders: ['exa', 'brave'],
      allowedDomains: ['example.org'],
    });
    const again = await ask({ ...asked, session_id: json.session_id }, { key });
    expect([again.status, again.json.context]).toEqual([200, json.context]);
    expect(again.json.fetch_interaction_id).toBe(json.fetch_interaction_id);
  });
});

describe('a context under a cap', () => {
  const price = async (body: object) =>
    (await ask(body, {}, '/v1/context?dry_run=true')).json.calls.at(-1).cost_usd as number;

  test('counts a search that failed, also where another answer is recorded by now', async () => {
    await start({ FETCH_CHAIN: 'jina' });
    web.found.exa = null;
    const fresh = { max_pages: 1, search: { max_age_seconds: 60 } };
    const page = await price(fresh);
    expect(page).toBeGreaterThan(0);
    const { json: plan } = await ask({ max_pages: 0 }, {}, '/v1/context?dry_run=true');
    const { status, json } = await ask({ ...fresh, max_cost_usd: plan.total_usd + page / 2 });
    expect(status).toBe(200);
    expect(json.fetch_interaction_id).toBeNull();
    expect(reasonOf(json, 'b')).toBe('cost');
  });

  test('is priced with the pages of one fetch and the cap of the profile', async () => {
    await start({ FETCH_CHAIN: 'jina', MAX_FETCH_URLS: '3' });
    const calls = async (key?: string) => {
      const { json } = await ask({}, key ? { key } : {}, '/v1/context?dry_run=true');
      return json.calls.filter(({ provider }: { provider: string }) => provider === 'jina').length;
    };
    expect(await calls()).toBe(3);
    const page = await price({});
    const key = await keyWith({ profile: { fetch: { max_cost_usd: page * 2.5 } } });
    expect(await calls(key)).toBe(2);
  });
});

describe('pages that are not asked for', () => {
  test('are named with the true reason', async () => {
    await start({ MAX_FETCH_URLS: '1' });
    const secret = `a?k=${OTHER_KEY}`;
    web.pages[secret] = { title: 'S', body: '', summary: 'A summary.' };
    web.pages.c = { title: 'C', body: filler(3, 3) };
    web.found = { exa: [secret, 'a', 'b', 'c'], brave: [] };
    const { json } = await ask({ max_pages: 3 });
    expect(pagesAsked()).toEqual(['/p/a']);
    expect(['a', 'b', 'c', secret].map((name) => reasonOf(json, name))).toEqual([
      undefined,
      'budget',
      'budget',
      'refused',
    ]);
  });
});

describe('a refusal', () => {
  test('names the field of the context', async () => {
    await start();
    const { status, json } = await ask({ query: `what is ${OTHER_KEY}` });
    expect([status, json.code]).toEqual([403, 'refused_by_rule']);
    expect(json.detail).toMatch(/^query: refused/);
    expect(web.asked).toEqual([]);
  });

  test('of the pages alone does not lose the search', async () => {
    await start();
    // its first 2,000 characters, which pages are read with, end with what looks like a key
    const query = `${'pump '.repeat(400).slice(0, 2_000 - OTHER_KEY.length - 1)} ${OTHER_KEY}more`;
    const { status, json } = await ask({ query });
    expect(status).toBe(200);
    expect(json.fetch_interaction_id).toBeNull();
    expect(reasonOf(json, 'a')).toBe('refused');
    expect(json.context.sources.length).toBeGreaterThan(0);
  });
});

describe('a text answer', () => {
  test('without a source says so, and why', async () => {
    await start();
    web.found = { exa: null, brave: null };
    const { status, text } = await ask({}, { headers: { accept: 'text/markdown' } });
    expect(status).toBe(200);
    expect(text).toMatch(/^No source was found\.\n\nWarnings:\n- provider_error: /);
  });
});

describe('passages that are not chosen in time', () => {
  test('end the request at its deadline, and so does novelty', async () => {
    await start({}, { extractWorkerUrl: await extractProgram('hanging-worker') });
    web.pages = { a: { title: 'A', body: '', summary: 'never done' } };
    web.found = { exa: ['a'], brave: [] };
    const session_id = '0196f7a0-0000-7000-8000-000000000001';
    const startedAt = performance.now();
    const asking = ask({ session_id, max_pages: 0, max_seconds: 3 });
    // its search is recorded before its passages are chosen
    await expect
      .poll(async () => (await server.call('GET', `/v1/sessions/${session_id}/history`)).status)
      .toBe(200);
    web.asked.length = 0;
    const askedAt = performance.now();
    const again = ask({ session_id, novelty: 'session', max_pages: 0, max_seconds: 3 });
    expect((await asking).status).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(4_500);
    const { status, json } = await again;
    expect([status, web.asked]).toEqual([503, []]);
    expect(json.detail).toMatch(/^novelty: /);
    expect(performance.now() - askedAt).toBeLessThan(4_500);
  });
});
