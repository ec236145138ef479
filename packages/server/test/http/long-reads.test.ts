import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { arrayParts, jsonText } from '@trawl/base';
import { createLongReads, READ_LIMITS, type ReadLimits } from '@trawl/router';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { runRecord } from '@trawl/test-support/records';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpListener, startHttpServer } from '../../src/http/socket/serve.ts';
import { apiKey } from '../auth/memory-key-store.ts';
import { recordAll } from '../support/recorded.ts';
import { KEY, testApp } from './app.ts';
import { type RawClient, rawClient } from './raw-client.ts';

const OTHER_KEY = 'tk_other';
const SESSION = 'a1b2c3d4-0000-4000-8000-00000000000f';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const get = (path: string, key: string) =>
  `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/**
 * A server whose histories make this many characters, and then wait until the test finishes them.
 */
async function readServer(limits: Partial<ReadLimits>, characters = 100) {
  const reads = createLongReads(
    { now: () => 0, newId: randomUUID },
    { ...READ_LIMITS, longCharacters: 50, ...limits },
  );
  /** The keys of the reads that were let in, and the ends of these. */
  const entered: string[] = [];
  const finish: (() => void)[] = [];
  let begun = 0;
  const { app, keys } = testApp({
    handlers: {
      sessionHistory: (_input, context) =>
        reads.run(
          {
            keyId: context.caller?.id ?? '',
            projectId: 'p',
            signal: context.signal(),
            onSent: context.onSent,
          },
          async (onStep) => {
            begun += 1;
            await onStep(characters);
            entered.push(context.caller?.id ?? '');
            await new Promise<void>((resolve) => finish.push(resolve));
            return arrayParts([jsonText({})]);
          },
        ),
    },
  });
  keys.put(OTHER_KEY, apiKey({ id: 'key-other' }));
  const running: HttpListener = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
  closing.push(() => running.stop(0));
  /** Sends a read, and waits until it runs as far as it can. */
  const read = async (key = KEY): Promise<RawClient> => {
    const client = await rawClient(running.port);
    closing.push(client.leave);
    const before = begun;
    client.send(get(`/v1/sessions/${SESSION}/history`, key));
    await expect.poll(() => begun).toBe(before + 1);
    return client;
  };
  return { read, entered, finishOne: () => finish.shift()?.() };
}

describe('long reads', () => {
  it('of one key wait for each other, and those of another key do not wait for them', async () => {
    const { read, entered, finishOne } = await readServer({ placesOfKey: 1, places: 2 });
    const first = await read();
    await read();
    await read(OTHER_KEY);
    expect(entered).toEqual(['key-1', 'key-other']);
    finishOne();
    expect((await first.answer())?.status).toBe(200);
    await expect.poll(() => entered).toEqual(['key-1', 'key-other', 'key-1']);
  });

  it('of different keys take turns for the places of all', async () => {
    const { read, entered, finishOne } = await readServer({ placesOfKey: 2, places: 1 });
    await read();
    for (const key of [KEY, KEY, OTHER_KEY]) await read(key);
    for (const count of [2, 3, 4]) {
      finishOne();
      await expect.poll(() => entered.length).toBe(count);
    }
    expect(entered).toEqual(['key-1', 'key-1', 'key-other', 'key-1']);
  });

  it('that wait too long are refused with 503 and Retry-After', async () => {
    const { read } = await readServer({ placesOfKey: 1, waitMs: 20 });
    await read();
    const refused = await (await read()).answer();
    expect([refused?.status, refused?.headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(refused?.body ?? '').detail).toMatch(/long reads.*in pages with limit/);
  });

  it('that became long too late are refused at once, unless a place is free', async () => {
    let now = 0;
    const clock = { now: () => now, newId: randomUUID };
    const reads = createLongReads(clock, { ...READ_LIMITS, longCharacters: 50, placesOfKey: 1 });
    const caller = {
      keyId: 'a',
      projectId: 'p',
      signal: new AbortController().signal,
      onSent: () => undefined,
    };
    const late = () =>
      reads.run(caller, async (onStep) => {
        now += READ_LIMITS.waitMs;
        await onStep(100);
        return arrayParts([jsonText({})]);
      });
    await late();
    await expect(late()).rejects.toMatchObject({ status: 503 });
  });

  it('of a client that leaves give their turn to the next', async () => {
    const { read, entered, finishOne } = await readServer({ placesOfKey: 1 });
    await read();
    const leaving = await read();
    const next = await read();
    leaving.leave();
    await leaving.closed;
    finishOne();
    await expect.poll(() => entered.length).toBe(2);
    finishOne();
    expect((await next.answer())?.status).toBe(200);
  });

  it('that are short never wait', async () => {
    const { read, entered } = await readServer({ placesOfKey: 1, places: 1 }, 50);
    for (let count = 0; count < 3; count += 1) await read();
    expect(entered).toHaveLength(3);
  });
});

const searchRun = (id: string, position: number) => ({
  id,
  preprocessor_name: 'exa',
  status: 'succeeded',
  batch_index: 0,
  query: 'harbour seals',
  request_payload: {},
  output_payload: {
    results: Array.from({ length: 10 }, (_, index) => ({
      url: `https://example.com/${position}/${index}`,
      title: `Result ${index} about the seals of a harbour`,
      summary: 'Seals rest on the sand banks of the estuary. '.repeat(4),
      rank: index + 1,
    })),
    warnings: [],
  },
  raw_payload: null,
  error: null,
  latency_ms: 120,
});

/** Reads an answer, and throws it away. */
function answerSize(server: TestServer, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.key}` };
    const sent = request(`${server.url}${path}`, { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('end', () => resolve(bytes));
    });
    sent.on('error', reject).end();
  });
}

/**
 * Processor time of this process during some work: of all of it, and of the longest turn of the
 * event loop.
 */
async function processorTime(work: () => Promise<number>) {
  const now = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const startedAt = now();
  let [last, longest, isOver] = [startedAt, 0, false];
  const look = (): void => {
    const at = now();
    longest = Math.max(longest, at - last);
    last = at;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const bytes = await work();
  isOver = true;
  return { bytes, longest, all: now() - startedAt };
}

/** More than the system takes for a client that does not read. */
const LONG = 14;
const TEXT = 'x'.repeat(900_000);

describe('sessions of several megabytes', () => {
  async function longSession(server: TestServer): Promise<string> {
    const session = randomUUID();
    for (let index = 0; index < LONG; index += 1) {
      const body = { session_id: session, metadata: { index, text: TEXT } };
      expect((await server.call('POST', '/v1/interactions', { body })).status).toBe(200);
    }
    return `/v1/sessions/${session}/history`;
  }

  /** A client that sends a read and takes no more than the start of its answer. */
  async function stalledReader(port: number, text: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    closing.push(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.write(text);
    await once(socket, 'readable');
    return socket;
  }

  it('as trajectories are made in many turns of the event loop', async () => {
    const server = await startTestServer();
    closing.push(server.stop);
    const sessionId = randomUUID();
    const runs = (position: number) =>
      runRecord(JSON.stringify(searchRun(randomUUID(), position)), { position });
    await recordAll(
      server,
      Array.from({ length: 1_500 }, () => ({ sessionId, runs: [runs(0), runs(1)] })),
    );
    const path = `/v1/sessions/${sessionId}/trajectory`;
    await answerSize(server, path);
    const shares: number[] = [];
    for (let read = 0; read < 3; read += 1) {
      const { bytes, longest, all } = await processorTime(() => answerSize(server, path));
      expect(bytes).toBeGreaterThan(5_000_000);
      shares.push(longest / all);
    }
    // a garbage collection of the process is a long turn too, but not of each read
    expect(Math.min(...shares)).toBeLessThan(0.15);
  });

  it('are read by two clients of a key at once; other keys and short reads go on', async () => {
    const server = await startTestServer();
    closing.push(server.stop);
    const { key } = await server.makeKey('main');
    const path = await longSession(server);
    const full = get(`${path}?type=full`, server.key);
    const [stalled] = [
      await stalledReader(server.server.port, full),
      await stalledReader(server.server.port, full),
    ];
    let isAnswered = false;
    const third = server.call('GET', `${path}?type=full`).then((answer) => {
      isAnswered = true;
      return answer;
    });
    for (let round = 0; round < 2; round += 1) {
      expect((await server.call('GET', `${path}?type=full`, { key })).status).toBe(200);
    }
    expect((await server.call('GET', `${path}?limit=1`)).status).toBe(200);
    expect(isAnswered).toBe(false);
    stalled?.destroy();
    expect((await third).json.interactions).toHaveLength(LONG);
  });
});
