import { providerKey, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number;
}

interface SentSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
}

const KINDS = ['unspecified', 'internal', 'server', 'client'];
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const CANARY = 'canary-Zt81';

let collector: TraceCollector;
let server: TestServer;
let metrics = '';
let logged = '';
let answered: { readonly session_id: string; readonly interaction_id: string };
beforeAll(async () => {
  collector = await startTraceCollector();
  server = await startTestServer({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, FETCH_CHAIN: 'tavily' },
  });
  const search = (parent: string, id: string) =>
    server.search(
      {
        user_input: { query: `${CANARY} [[brave:status=503]]` },
        search: { providers: { include: ['exa', 'brave'] }, num_results: 4, tier: 'extended' },
        metadata: { note: CANARY },
      },
      { headers: { traceparent: parent, 'x-request-id': id } },
    );
  answered = (await search(`00-${TRACE}-${PARENT}-01`, 'traced')).json;
  // the sender says that it does not sample
  await search(`00-1af7651916cd43dd8448eb211c80319c-${PARENT}-00`, 'unsampled');
  await server.fetch({ urls: [`https://www.example.com/${CANARY}`] });
  await server.call('POST', '/compat/tavily/search', {
    body: { query: CANARY },
    headers: { traceparent: `00-2af7651916cd43dd8448eb211c80319c-${PARENT}-01` },
  });
  await server.call('GET', `/compat/google/customsearch/v1?q=tides&key=${server.key}`, {
    key: null,
    headers: { traceparent: `00-3af7651916cd43dd8448eb211c80319c-${PARENT}-01` },
  });
  metrics = (await server.call('GET', '/metrics', { key: null })).text;
  logged = server.logged();
  await server.stop();
});
afterAll(() => collector.close());

const spans = (): readonly SentSpan[] =>
  collector.bodies
    .map((body) => JSON.parse(body))
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
const facts = ({ attributes }: SentSpan) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );
const inTrace = (id: string) => spans().filter(({ traceId }) => traceId === id);

test('a trace of a request with its key in the address has no key', () => {
  expect(inTrace('3af7651916cd43dd8448eb211c80319c').length).toBeGreaterThan(0);
  expect(`${collector.bodies.join('')}${logged}${metrics}`).not.toContain(server.key);
});

describe('a search', () => {
  test('is a tree: the request, the search in it, and a span for each run', () => {
    const found = inTrace(TRACE);
    const named = (name: string) => found.find((span) => span.name === name);
    const tree = found.map(({ name, kind, parentSpanId }) => [
      name,
      KINDS[kind],
      found.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId,
    ]);
    expect(tree.sort()).toEqual([
      ['POST /v1/search', 'server', PARENT],
      ['retrieval brave', 'client', 'search'],
      ['retrieval exa', 'client', 'search'],
      ['search', 'internal', 'POST /v1/search'],
    ]);
    expect(facts(named('POST /v1/search') as SentSpan)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/search',
      'http.response.status_code': 200,
    });
    expect(facts(named('search') as SentSpan)).toMatchObject({
      'gen_ai.conversation.id': answered.session_id,
      'trawl.interaction.id': answered.interaction_id,
      'trawl.status': 'partially_succeeded',
    });
    expect(facts(named('retrieval exa') as SentSpan)).toEqual({
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.provider.name': 'exa',
      'gen_ai.data_source.id': 'exa',
      'gen_ai.request.top_k': 4,
      'trawl.tier': 'extended',
      'trawl.run.status': 'succeeded',
    });
    const failed = named('retrieval brave') as SentSpan;
    expect(facts(failed)).toMatchObject({
      'error.type': 'upstream_error',
      'http.response.status_code': 503,
      'http.request.resend_count': 1,
      'trawl.run.status': 'failed',
    });
    expect(failed.status.code).toBe(2);
  });

  test('that its sender does not sample is not sent', () => {
    expect(inTrace('1af7651916cd43dd8448eb211c80319c')).toEqual([]);
  });

  test('of a drop-in route belongs to the trace of its caller', () => {
    const names = inTrace('2af7651916cd43dd8448eb211c80319c').map(({ name }) => name);
    expect(names).toContain('retrieval tavily');
  });

  test('has the trace in its log line', () => {
    const line = logged.split('\n').find((one) => /"traced".*"msg":"request"/.test(one)) ?? '';
    expect(JSON.parse(line).trace_id).toBe(TRACE);
  });

  test('does not pass the trace on to providers', () => {
    for (const { headers } of server.sandbox.calls)
      expect(headers).not.toHaveProperty('traceparent');
  });
});

test('a fetch has a span for each provider that was asked', () => {
  const span = spans().find(({ name }) => name === 'fetch tavily');
  const parent = spans().find(({ spanId }) => spanId === span?.parentSpanId);
  expect([parent?.name, collector.paths]).toEqual(['fetch', new Set(['/v1/traces'])]);
});

test('no query, page, metadata or key is in a span, a metric or a log line', () => {
  const sent = collector.bodies.join('');
  expect(sent).toContain('retrieval exa');
  for (const text of [sent, metrics, logged]) {
    for (const secret of [CANARY, server.key, providerKey('exa'), 'planted-']) {
      expect(text).not.toContain(secret);
    }
  }
  expect(metrics).not.toContain(server.keyId);
  expect(metrics).not.toContain(server.projectId);
});

test('a collector that refuses them is logged, and fails nothing', async () => {
  const lost = await startTestServer({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/refused` },
  });
  const { status } = await lost.search({ user_input: { query: 'tides' } });
  await lost.stop();
  expect(status).toBe(200);
  expect(lost.logged()).toContain('traces could not be sent');
});
