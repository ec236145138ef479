import { createServer } from 'node:net';
import { startTestServer } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';

const SECRET = 'hush-Zq41';

const problemsOf = (REDIS_URL: string): readonly string[] => {
  try {
    readConfig({ REDIS_URL });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('REDIS_URL', () => {
  test.each([
    'redis://127.0.0.1',
    'redis://127.0.0.1:6379/',
    'redis://[::1]:6380/2',
    `rediss://user:${SECRET}@cache.example.com:6379/0`,
    'redis://:p%40ss@cache',
  ])('%s is taken', (address) => {
    expect(readConfig({ REDIS_URL: address }).redisUrl).toBe(address);
  });

  test.each([
    'cache:6379',
    'http://cache:6379',
    'redis://',
    'redis:///0',
    'redis://cache/name',
    'redis://cache/0?tls=on',
    `redis://:${SECRET}%@cache`,
  ])('%s stops the start with one line that does not repeat it', (address) => {
    const problems = problemsOf(address);
    expect(problems).toEqual([
      'REDIS_URL must be a redis:// or rediss:// URL, such as redis://127.0.0.1:6379 or rediss://USER:PASSWORD@HOST:PORT/0',
    ]);
  });

  test('an address where nothing answers: the server starts, says so once, and serves', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const address = closed.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    const server = await startTestServer({
      env: { REDIS_URL: `redis://:${SECRET}@127.0.0.1:${port}` },
    });
    try {
      const search = {
        user_input: { query: 'tides' },
        search: { providers: { include: ['exa'] } },
      };
      expect((await server.search(search)).status).toBe(200);
      expect(server.logged().split('Redis does not answer').length - 1).toBe(1);
      expect(server.logged()).toContain(`redis://127.0.0.1:${port}`);
      expect(server.logged()).not.toContain(SECRET);
    } finally {
      await server.stop();
    }
  });
});
