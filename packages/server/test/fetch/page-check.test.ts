import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { extractProgram } from '@trawl/test-support/threads';
import { describe, expect, type TestContext, test } from 'vitest';

const HOSTILE = 'This text is never done.';
const ORDINARY = 'The ferry to the island runs on weekdays, and twice on Sundays in summer.';

/** The threads of this server never finish a text that says `never done`. */
async function startServer(
  context: TestContext,
  text: string,
  pageReadTimeoutMs: number,
): Promise<TestServer> {
  const jina = await serveHttp((response) => {
    const data = { title: 'Ferry', url: 'http://127.0.0.1/', content: text };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 200, status: 20000, data }));
  }, context);
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
  context.onTestFinished(() => server.stop());
  return server;
}

/** A site whose pages of `/hostile` are never done. */
const serveSite = (context: TestContext) =>
  serveHttp(
    (response, { url }) =>
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(url.startsWith('/hostile') ? HOSTILE : ORDINARY),
    context,
  );

const rowsOf = ({ json }: Awaited<ReturnType<TestServer['fetch']>>) =>
  json.preprocessor_runs[0].output_payload.fetched_results;

const LIMIT = 'reading it took longer than 3,000 ms, the limit PAGE_READ_TIMEOUT_MS';

// each on its own server: most of their time is that of a thread which hangs
describe.concurrent('a text is checked on another thread', () => {
  test('a text that takes too long is a failed attempt: the chain moves on, or the row names the limit', async (context) => {
    const site = await serveHttp(
      (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(ORDINARY),
      context,
    );
    const server = await startServer(context, HOSTILE, 3_000);
    const other = await server.makeKey('other');
    const chain = server.fetch({ urls: [`${site.url}/a`], options: { tier: 'extended' } });
    // no other provider has this page; a key has a thread of its own
    const answer = server.fetch(
      { urls: ['https://news.example.com/a'], options: { providers: ['jina'] } },
      { key: other.key },
    );
    // the server keeps answering while the threads are stuck
    expect(await server.call('GET', '/healthz')).toMatchObject({ status: 200 });

    const [row] = rowsOf(await chain);
    expect(row).toMatchObject({ status: 'succeeded', provider: 'direct', content: ORDINARY });
    expect(row.provider_chain).toMatchObject([
      { provider: 'jina', outcome: 'failed', code: 'timeout' },
      { provider: 'direct', outcome: 'answered', code: null },
    ]);
    expect(row.warnings).toContainEqual({
      code: 'provider_error',
      message: `jina: timeout (${LIMIT})`,
    });

    // the row names the limit and its setting
    const [failed] = rowsOf(await answer);
    expect(failed).toMatchObject({ status: 'failed', content: null });
    expect(failed.error).toMatchObject({ code: 'timeout', provider: 'jina' });
    expect(failed.error.message).toContain(LIMIT);
  });

  test("another key's page is read, even if one key has many pages waiting", async (context) => {
    const { expect } = context;
    const site = await serveSite(context);
    const server = await startServer(context, ORDINARY, 60_000);
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

  test("another key's page is read while four hostile ones wait for their threads", async (context) => {
    const { expect } = context;
    const site = await serveSite(context);
    const server = await startServer(context, ORDINARY, 1_500);
    const other = await server.makeKey('other');
    const urls = Array.from({ length: 4 }, (_, at) => `${site.url}/hostile-${at}`);
    const ended: string[] = [];
    const hostile = server.fetch({ urls, options: { providers: ['direct'] } }).then((answer) => {
      ended.push('hostile');
      return answer;
    });
    await expect.poll(() => site.received.length).toBe(4);
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
});
