import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Closers, createClosers } from '@trawl/base';
import { consoleBranch } from '@trawl/console-api';
import { describeOnDatabases, type FreshDatabase, onlyOn } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { mcpMount } from '@trawl/test-support/mcp-hosts';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { extractWorkerUrl, recorderWorkerUrl } from '@trawl/test-support/threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/app/app.ts';
import { type Environment, readConfig } from '../../src/config/config.ts';
import { readProviderKeys } from '../../src/config/provider-settings.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { hasProc, NEEDS_PROC, openFiles } from '../chaos/support/memory.ts';

/** Threads take seconds to end on a busy machine. */
const CLOSE_MS = 30_000;
const LOOK_MS = 20;
/** A collection costs as much as a start: only one look in five begins with one. */
const LOOKS = 5;
/** About twenty starts. */
const LIMIT_MS = 240_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Where nothing is logged. */
const unread = new Writable({ write: (_chunk, _encoding, done) => done() });

/** Timers of our code that are not cleared, by number, with the line that began them. */
const timers = new Map<number, string>();
const hook = createHook({
  init: (id, type) => {
    if (type !== 'Timeout') return;
    const [, , ...lines] = new Error().stack?.split('\n') ?? [];
    const line = lines.find((one) => !one.includes('(node:')) ?? '';
    if (/packages.*src/.test(line)) timers.set(id, line);
  },
  destroy: (id) => timers.delete(id),
});

describeOnDatabases('a start', (database) => {
  let data: FreshDatabase;
  let redis: RedisServer | undefined;
  beforeAll(async () => {
    data = await database.create();
    redis = redisAbsent === undefined ? await startRedis() : undefined;
    hook.enable();
  });
  afterAll(async () => {
    hook.disable();
    await redis?.kill();
    await data.drop();
  });

  const start = (env: Environment, closers?: Closers): Promise<RunningServer> => {
    const environment: Environment = {
      DATA_DIR: data.location.dataDir,
      DATABASE_URL: data.location.databaseUrl,
      REDIS_URL: redis?.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      EXA_API_KEY: 'a-key-of-a-test',
      PORT: '0',
      ...env,
    };
    return startServer(readConfig(environment), createLog('silent', unread), {
      version: '0.0.0-test',
      workerUrl: recorderWorkerUrl(),
      extractWorkerUrl: extractWorkerUrl(),
      mounts: [mcpMount()],
      branches: [consoleBranch()],
      readProviderKeys: () => readProviderKeys(environment),
      ...(closers && { closers }),
    });
  };

  /**
   * Runs it, and waits until no more files, sockets and threads are open than before, and no timer.
   */
  async function leavesNothing(work: () => Promise<unknown>): Promise<void> {
    timers.clear();
    const before = openFiles(process.pid);
    await work();
    const lastAt = performance.now() + CLOSE_MS;
    const isOpen = () => openFiles(process.pid) + timers.size > before;
    for (let look = 1; isOpen() && performance.now() < lastAt; look += 1) {
      // the driver of SQLite closes its files with it
      if (look % LOOKS === 0) collectGarbage();
      await delay(LOOK_MS);
    }
    expect([...timers.values()]).toEqual([]);
    expect(openFiles(process.pid)).toBeLessThanOrEqual(before);
  }

  onlyOn(database, 'SQLite')(
    'that fails at any step leaves nothing open',
    async ({ skip }) => {
      skip(!hasProc, NEEDS_PROC);
      await openOnce();
      let steps = 0;
      await leavesNothing(async () => {
        for (;;) {
          steps += 1;
          const server = await start({}, failingAt(steps)).catch((error: Error) => error.message);
          if (typeof server !== 'string') return server.stop();
          expect(server).toBe(`step ${steps} fails`);
        }
      });
      expect(steps).toBeGreaterThan(15);
    },
    LIMIT_MS,
  );

  const onMain = byForm({ small: onlyOn(database, 'PostgreSQL'), full: it });
  onMain('on a port that is in use leaves nothing open, nor does a stop', async ({ skip }) => {
    skip(!hasProc, NEEDS_PROC);
    await openOnce();
    await leavesNothing(async () => (await start({})).stop());
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await leavesNothing(() => expect(start({ PORT: String(port) })).rejects.toThrow('in use'));
    other.close();
  });

  /** What is kept for the whole process, such as its metrics. */
  const openOnce = async (): Promise<void> => (await start({})).stop();
});

/** Fails as soon as this many things are open. */
function failingAt(step: number): Closers {
  const closers = createClosers();
  let opened = 0;
  return {
    ...closers,
    push: (close) => {
      closers.push(close);
      opened += 1;
      if (opened === step) throw new Error(`step ${step} fails`);
    },
  };
}
