import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage, RETURNS_FREED_BLOCKS, WITH_COLLECTOR } from './support/garbage.ts';
import {
  figure,
  hasProc,
  load,
  peakRssMb,
  rssMb,
  type Stub,
  startProbe,
  startStub,
  startTrawl,
  type Trawl,
  tally,
} from './support.ts';

/** A search of one provider whose answer is 14 MB: 10 rows of 1.4 million characters. */
const LARGE = {
  user_input: { query: 'tidal power' },
  search: { tier: 'max', num_results: 20, providers: { include: ['exa'] } },
};
const LARGE_ROWS = { rows: 10, rowCharacters: 1_400_000 };

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));
const statuses = (answers: readonly { readonly status: number }[]) =>
  JSON.stringify(tally(answers.map(({ status }) => status)));

let stub: Stub;
let server: Trawl;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.stop());
afterEach(() => server.stop());

const start = async (settings: Readonly<Record<string, string>> = {}): Promise<Trawl> => {
  server = await startTrawl({ settings: { ...stub.settings, ...WITH_COLLECTOR, ...settings } });
  return server;
};

/** A client that does not read its answer. */
function slowClient(accept: string): Socket {
  const body = JSON.stringify(LARGE);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  const head = [
    'POST /v1/search HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${server.key}`,
    `Accept: ${accept}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** Clients that the server disconnected because they were slow, by its log. */
function disconnected(): number {
  const lines = server
    .stdout()
    .split('\n')
    .filter((line) => /"cause":"(slow client|MAX_UNSENT_BYTES)"/.test(line));
  return lines.reduce((sum, line) => sum + (JSON.parse(line).count ?? 1), 0);
}

const memory = hasProc ? describe : describe.skip;

memory('memory (needs /proc, so Linux)', () => {
  const READERS = 20;

  it('20 answers of 14 MB at once are read whole', async () => {
    await start();
    await stub.behave(LARGE_ROWS);
    const probe = await startProbe(server.url);
    const answers = await load({ clients: READERS, turns: READERS }, () => server.search(LARGE));
    const { p99, max } = await probe.stop();
    figure('large-answers', 'answers', statuses(answers));
    figure('large-answers', 'healthz p99', p99, 'ms');
    figure('large-answers', 'healthz max', max, 'ms');
    expect(answers.map(({ status }) => status)).toEqual(Array(READERS).fill(200));
    expect(Math.min(...answers.map(({ text }) => text.length))).toBeGreaterThan(13_000_000);
    expect(disconnected()).toBe(0);
  });

  for (const [row, accept] of [
    ['slow-readers-json', 'application/json'],
    ['slow-readers-sse', 'text/event-stream'],
  ] as const) {
    it(`${READERS} clients that do not read their 14 MB (${accept})`, async () => {
      await start(RETURNS_FREED_BLOCKS);
      await stub.behave(LARGE_ROWS);
      await load({ clients: READERS, turns: READERS }, () => server.search(LARGE));
      await seconds(3);
      await collectGarbage(server.pid);
      const before = rssMb(server.pid);
      await stub.clear();
      const sockets = Array.from({ length: READERS }, () => slowClient(accept));
      await expect.poll(async () => (await stub.counts()).calls).toBe(READERS);
      await expect.poll(() => requestsLogged()).toBe(2 * READERS);
      await seconds(5);
      await collectGarbage(server.pid);
      const held = rssMb(server.pid) - before;
      figure(row, 'held after 5 s', held, 'MB');
      figure(row, 'disconnected after 5 s', disconnected());
      await expect.poll(() => disconnected(), { timeout: 45_000 }).toBe(READERS);
      figure(row, 'disconnected in the end', disconnected());
      for (const socket of sockets) socket.destroy();
      expect(held).toBeLessThanOrEqual(100);
    });
  }

  it('256 clients, tier max, raw, 200 kB of text', async () => {
    await start();
    await stub.behave({ rows: 5, rowCharacters: 40_000 });
    const search = { tier: 'max', include_raw: true };
    const ask = { user_input: { query: 'tidal power' }, search };
    const answers = await load({ clients: 256, turns: 1_800 }, () => server.search(ask));
    const peak = peakRssMb(server.pid);
    figure('clients-256', 'answers', statuses(answers));
    figure('clients-256', 'peak RSS', peak, 'MB');
    const refused = answers.filter(({ status }) => status !== 200).map(({ text }) => text);
    expect(refused).toEqual([]);
    expect(peak).toBeLessThanOrEqual(500);
  });

  it('bombs and large bodies of an upstream leave no memory behind', async () => {
    const upstream = await startBadUpstream();
    try {
      const settings = { EXA_BASE_URL: upstream.url, BREAKER: 'off', EXA_TIMEOUT_MS: '10000' };
      await start({ ...settings, ...RETURNS_FREED_BLOCKS });
      const ask = { ...LARGE, search: { providers: { include: ['exa'] } } };
      upstream.behave('error');
      await load({ clients: 8, turns: 80 }, () => server.search(ask));
      await collectGarbage(server.pid);
      const before = rssMb(server.pid);
      figure('bad-upstream', 'RSS before', before, 'MB');
      for (const kind of ['large', 'bomb', 'brackets', 'half', 'reset'] as const) {
        upstream.behave(kind);
        const answers = await load({ clients: 10, turns: 30 }, () => server.search(ask));
        const failed = answers.filter(({ text }) => JSON.parse(text).status === 'failed').length;
        expect(failed, kind).toBe(30);
        await collectGarbage(server.pid);
        figure('bad-upstream', `RSS after ${kind}`, rssMb(server.pid), 'MB');
      }
      await seconds(10);
      await collectGarbage(server.pid);
      const after = rssMb(server.pid);
      figure('bad-upstream', 'RSS in the end', after, 'MB');
      expect(after).toBeLessThanOrEqual(1.3 * before);
    } finally {
      await upstream.stop();
    }
  });
});

const requestsLogged = (): number => server.stdout().split('"msg":"request"').length - 1;

type Badness = 'error' | 'large' | 'bomb' | 'brackets' | 'half' | 'reset';

/**
 * An upstream that answers 500, 100 MB, 300 MB packed to 300 kB, 200,000 brackets, half of a body,
 * or nothing.
 */
async function startBadUpstream() {
  let kind: Badness = 'error';
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
  const answers: Readonly<Record<Badness, (response: ServerResponse) => void>> = {
    error: (response) => response.writeHead(500).end(),
    large: (response) => {
      let left = 100;
      const more = () => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(megabyte)) return;
        }
        response.end();
      };
      response.on('drain', more);
      more();
    },
    bomb: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    brackets: (response) => response.end('['.repeat(200_000)),
    half: (response) => {
      response.writeHead(200, { 'content-length': '2000000' });
      response.write(megabyte, () => response.destroy());
    },
    reset: (response) => response.destroy(),
  };
  const upstream: Server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    answers[kind](response);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  return {
    url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    behave: (next: Badness) => {
      kind = next;
    },
    stop: async () => {
      upstream.closeAllConnections();
      upstream.close();
      await once(upstream, 'close');
    },
  };
}

describe('the OpenAPI document', () => {
  it('is prepared once and then sent', async () => {
    await start();
    const turns = 3_000;
    const startedAt = performance.now();
    const answers = await load({ clients: 16, turns }, () => server.call('/openapi.json'));
    const perSecond = (1000 * turns) / (performance.now() - startedAt);
    figure('openapi', 'requests a second', perSecond);
    expect(statuses(answers)).toBe(`{"200":${turns}}`);
  });
});
