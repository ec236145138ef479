import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { extractProgram } from '@trawl/test-support/threads';
import { describe, expect, onTestFinished, test } from 'vitest';

const HOSTILE = 'This text is never done.';
const ORDINARY = 'The ferry to the island runs on weekdays, and twice on Sundays in summer.';

/** The threads of this server never finish a text that says `never done`. */
async function startServer(text: string, pageReadTimeoutMs: number): Promise<TestServer> {
  const jina = await serveHttp((response) => {
    const data = { title: 'Ferry', url: 'http://127.0.0.1/', content: text };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 200, status: 20000, data }));
  });
  const server = await startTestServer({
    extractWorkerUrl: await extractProgram('hanging-worker'),
    env: {
      PAGE_READ_TIMEOUT_MS: String(pageReadTimeoutMs),
      PAGE_READ_THREADS: '2',
      JINA_BASE_URL: jina.url,
      FETCH_CHAIN: 'jina,direct',
      FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    },
  });
  onTestFinished(() => server.stop());
  return server;
}

const rowsOf = ({ json }: Awaited<ReturnType<TestServer['fetch']>>) =>
  json.preprocessor_runs[0].output_payload.fetched_results;

const LIMIT = 'reading it took longer than 3,000 ms, the limit PAGE_READ_TIMEOUT_MS';

describe('the text of a provider is checked on another thread', () => {
  test('a text that takes too long is a failed attempt: the chain moves on, or the row names the limit', async () => {
    const site = await serveHttp((response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(ORDINARY),
    );
    const server = await startServer(HOSTILE, 3_000);
    const [row] = rowsOf(
      await server.fetch({ urls: [`${site.url}/a`], options: { tier: 'extended' } }),
    );
    expect(row).toMatchObject({ status: 'succeeded', provider: 'direct', content: ORDINARY });
    expect(row.provider_chain).toMatchObject([
      { provider: 'jina', outcome: 'failed', code: 'timeout' },
      { provider: 'direct', outcome: 'answered', code: null },
    ]);
    expect(row.warnings).toContainEqual({
      code: 'provider_error',
      message: `jina: timeout (${LIMIT})`,
    });

    // no other provider has this page: the row names the limit and its setting
    const answer = server.fetch({
      urls: ['https://news.example.com/a'],
      options: { providers: ['jina'] },
    });
    // the server keeps answering while the thread is stuck
    expect(await server.call('GET', '/healthz')).toMatchObject({ status: 200 });
    const [failed] = rowsOf(await answer);
    expect(failed).toMatchObject({ status: 'failed', content: null });
    expect(failed.error).toMatchObject({ code: 'timeout', provider: 'jina' });
    expect(failed.error.message).toContain(LIMIT);
  });
});

test("another key's page is read, even if one key has many pages waiting", async () => {
  const site = await serveHttp((response, { url }) =>
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(url.startsWith('/hostile') ? HOSTILE : ORDINARY),
  );
  const server = await startServer(ORDINARY, 60_000);
  const other = await server.makeKey('other');
  const leave = new AbortController();
  const options = { providers: ['direct'] };
  const hostile = ['a', 'b'].map((part) => {
    const urls = Array.from({ length: 20 }, (_, at) => `${site.url}/hostile-${part}-${at}`);
    return server.fetch({ urls, options }, { signal: leave.signal });
  });
  const ended = Promise.allSettled(hostile);
  // as many pages as the key may have at once have arrived, and wait for its one thread
  await expect.poll(() => site.received.length).toBe(15);
  const [row] = rowsOf(
    await server.fetch({ urls: [`${site.url}/ordinary`], options }, { key: other.key }),
  );
  expect(row).toMatchObject({ status: 'succeeded', content: ORDINARY });
  leave.abort();
  await ended;
});

test("another key's page is read while ten hostile ones wait for their threads", async () => {
  const site = await serveHttp((response, { url }) =>
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(url.startsWith('/hostile') ? HOSTILE : ORDINARY),
  );
  const server = await startServer(ORDINARY, 1_500);
  const other = await server.makeKey('other');
  const urls = Array.from({ length: 10 }, (_, at) => `${site.url}/hostile-${at}`);
  const ended: string[] = [];
  const hostile = server.fetch({ urls, options: { providers: ['direct'] } }).then((answer) => {
    ended.push('hostile');
    return answer;
  });
  await expect.poll(() => site.received.length).toBe(10);
  const [row] = rowsOf(
    await server.fetch(
      { urls: [`${site.url}/ordinary`], options: { providers: ['direct'] } },
      { key: other.key },
    ),
  );
  ended.push('ordinary');
  expect(row).toMatchObject({ status: 'succeeded', content: ORDINARY });
  const rows = rowsOf(await hostile);
  expect(ended).toEqual(['ordinary', 'hostile']);
  expect(rows.map((each: { error: { code: string } }) => each.error.code)).toEqual(
    urls.map(() => 'timeout'),
  );
});
