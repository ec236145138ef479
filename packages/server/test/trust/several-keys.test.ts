import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databases, describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Replicas, startReplicas } from '../support/replicas.ts';

const REFUSED = 'bad-planted-key-1x1x';
const USED_UP = 'quota-planted-key-2y2y';
const LIMITED = 'limited-planted-key-3z3z';
const GOOD = 'good-planted-key-4w4w';
const ALL = [REFUSED, USED_UP, LIMITED, GOOD];
const FRESH = 'fresh-planted-key-5v5v';

const search = async (server: TestServer, query = 'owls') => {
  const search = { providers: { include: ['exa'] }, include_raw: true };
  const answer = await server.search({ user_input: { query }, search });
  const [run] = answer.json.preprocessor_runs;
  return run as { status: string; error: { code: string } | null };
};

/** The last four characters of the keys that were sent, in order; forgets them. */
const sent = ({ sandbox }: TestServer): readonly string[] => {
  const keys = sandbox.calls.map(({ key }) => key?.slice(-4) ?? '');
  sandbox.clearCalls();
  return keys;
};

const usage = async (server: TestServer) => {
  const { json } = await server.call('GET', '/v1/usage?group_by=provider,key_tail');
  return json.rows;
};

/** Each key of the searches of exa with its state in the metrics: 0 in use, 2 cooling down. */
async function keyStates(server: TestServer): Promise<readonly string[]> {
  const { text } = await server.call('GET', '/metrics', { key: null });
  const key =
    /trawl_provider_key_state\{provider="exa",operation="search",key_tail="(.{4})"\} (\d)/g;
  return [...text.matchAll(key)].map(([, tail, state]) => `${tail} ${state}`).sort();
}

describeMainlyOn('SQLite', 'one key refused, one used up, one limited', (database) => {
  const file = join(tmpdir(), `trawl-several-keys-${process.pid}`);
  let server: TestServer;

  beforeAll(async () => {
    await writeFile(file, `${[REFUSED, USED_UP, LIMITED].join(', ')}\n`);
    server = await startTestServer({
      database,
      watchesKeys: true,
      env: { EXA_API_KEY: GOOD, EXA_API_KEYS_FILE: file, BREAKER: 'on' },
    });
  });
  afterAll(async () => {
    await server.stop();
    await rm(file);
  });

  // one test, so that no cool-down ends in the middle
  it('every search that can be answered is, no dead key is asked twice, and the circuit opens when none is left', async () => {
    for (let searches = 0; searches < 8; searches += 1) {
      expect((await search(server)).status).toBe('succeeded');
    }
    const keys = sent(server);
    expect(keys.filter((tail) => tail !== '4w4w').sort()).toEqual(['1x1x', '2y2y', '3z3z']);
    expect(keys).toHaveLength(11);
    const many = await Promise.all(Array.from({ length: 12 }, () => search(server)));
    expect(many.every(({ status }) => status === 'succeeded')).toBe(true);
    expect(new Set(sent(server))).toEqual(new Set(['4w4w']));
    expect(await keyStates(server)).toEqual(['1x1x 2', '2y2y 2', '3z3z 2', '4w4w 0']);

    const limit = 'owls [[exa:status=429,retry-after=60]]';
    expect((await search(server, limit)).error?.code).toBe('rate_limited');
    expect(sent(server)).toEqual(['4w4w']);
    expect((await search(server)).error?.code).toBe('circuit_open');
    expect(sent(server)).toEqual([]);
  });

  it('usage names the key that answered, with all calls of its runs', async () => {
    expect(await usage(server)).toEqual([
      {
        provider: 'exa',
        key_tail: '4w4w',
        calls: 24,
        unpriced_calls: 1,
        cost_usd: 0.14,
        cached_calls: 0,
        saved_usd: 0,
      },
    ]);
  });

  it('a new key in the file closes the circuit', async () => {
    await writeFile(file, FRESH);
    server.server.checkProviderKeys();
    expect((await search(server)).status).toBe('succeeded');
    expect(sent(server)).toContain('5v5v');
    expect(await usage(server)).toContainEqual(
      expect.objectContaining({ provider: 'exa', key_tail: '5v5v', unpriced_calls: 0 }),
    );
  });

  it('a list that is wrong changes nothing, and the log says where', async () => {
    await writeFile(file, [REFUSED, '', FRESH].join(','));
    server.server.checkProviderKeys();
    expect(server.logged()).toContain(
      'the content of EXA_API_KEYS_FILE must be a comma list of keys: entry 2 is empty: remove a comma: the keys in use stay',
    );
    expect((await search(server)).status).toBe('succeeded');
  });

  it('no key is in the log', () => {
    for (const key of [...ALL, FRESH]) {
      expect(server.logged()).not.toContain(key);
    }
    expect(server.logged()).toContain('"key_tail":"1x1x"');
  });
});

describe('two keys that end alike', () => {
  it('the metrics show the worse of them', async () => {
    const keys = [REFUSED, `good-planted-key-${REFUSED.slice(-4)}`];
    const server = await startTestServer({
      env: { EXA_API_KEY: undefined, EXA_API_KEYS: keys.join(), BREAKER: 'on' },
    });
    try {
      for (let searches = 0; searches < 2; searches += 1) {
        expect((await search(server)).status).toBe('succeeded');
      }
      expect(await keyStates(server)).toEqual(['1x1x 2']);
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(redisAbsent)('several keys of two replicas', () => {
  let redis: RedisServer;
  let replicas: Replicas;
  beforeAll(async () => {
    redis = await startRedis();
    const database = databases.find(({ name }) => name === 'PostgreSQL');
    if (!database) throw new Error('needs PostgreSQL');
    replicas = await startReplicas({
      database,
      env: {
        EXA_API_KEY: undefined,
        EXA_API_KEYS: ALL.join(','),
        BREAKER: 'on',
        REDIS_URL: redis.url,
      },
    });
  });
  afterAll(async () => {
    await replicas.stop();
    await redis.kill();
  });

  it('what one finds refused, used up or limited, the other does not ask', async () => {
    const [one, other] = replicas.servers;
    for (let searches = 0; searches < 4; searches += 1) await search(one);
    expect(new Set(sent(one))).toEqual(new Set(['1x1x', '2y2y', '3z3z', '4w4w']));
    const resting = ['1x1x 2', '2y2y 2', '3z3z 2', '4w4w 0'];
    await expect.poll(() => keyStates(other)).toEqual(resting);
    expect((await search(other)).status).toBe('succeeded');
    expect(sent(other)).toEqual(['4w4w']);
  });
});
