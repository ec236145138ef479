import { randomUUID } from 'node:crypto';
import type { Tables } from '@trawl/database';
import { openDatabase } from '@trawl/database';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

const WAVES = byForm({ small: 6, full: 15 });
const REQUESTS_PER_WAVE = 20;
const TIMEOUT_MS = 250;

const SEARCHING = ['exa', 'brave', 'tavily', 'parallel', 'you', 'linkup', 'serpapi', 'perplexity'];
const FETCHING = ['tinyfish', 'firecrawl', 'parallel', 'tavily', 'exa', 'linkup', 'you', 'jina'];
const VENDORS = [...new Set([...SEARCHING, ...FETCHING, 'brightdata'])];
const FAULTS = [
  ...['status=500', 'status=503', 'status=429', 'status=401', 'status=402', 'hang', 'cut', 'reset'],
  ...['not-json', 'broken-json', 'wrong-shape=array', 'empty', 'latency=60', 'bad-gzip'],
];

/** The same numbers in every run, so a failure can be reproduced. */
function seeded(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneOf: <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value,
    some: <Value>(values: readonly Value[], count: number): Value[] =>
      Array.from({ length: count }, () => values[below(values.length)] as Value),
  };
}

describeMainlyOn('SQLite', 'after requests of all kinds', (database) => {
  let server: TestServer;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    const timeouts = VENDORS.map((slug) => [`${slug.toUpperCase()}_TIMEOUT_MS`, `${TIMEOUT_MS}`]);
    // our own reader asks no vendor, and would use the network
    const env = { FETCH_CHAIN: FETCHING.join(','), ...Object.fromEntries(timeouts) };
    server = await startTestServer({ database, env });
    db = openDatabase(server.database.location, { connections: 1 }).db;
  });
  afterAll(async () => {
    await db.destroy();
    await server.stop();
  });

  const byProvider = (counted: readonly (readonly [string, number])[]) => {
    const sums = new Map<string, number>();
    for (const [name, calls] of counted) sums.set(name, (sums.get(name) ?? 0) + calls);
    return Object.fromEntries([...sums].filter(([, calls]) => calls > 0).sort());
  };
  const received = () => byProvider(server.sandbox.calls.map(({ vendor }) => [vendor, 1]));
  const booked = async () => {
    const { json } = await server.call('GET', '/v1/usage?group_by=provider,key_id');
    const rows: { provider: string; calls: number }[] = json.rows;
    return byProvider(rows.map(({ provider, calls }) => [provider, calls]));
  };

  it('with faults, retries, timeouts and callers that leave, the ledger has exactly the calls that the providers received', {
    timeout: 120_000,
  }, async () => {
    const chance = seeded(7);
    const page = () => `https://www.example.com/guides/${randomUUID()}`;
    const requests: readonly (() => [path: string, body: object])[] = [
      () => [
        '/v1/search',
        {
          user_input: chance
            .some(['tides', 'kilns', 'mills'], 1 + chance.below(3))
            .map((query) => ({ query })),
          search: { providers: { include: chance.some(SEARCHING, 1 + chance.below(3)) } },
        },
      ],
      () => ['/v1/fetch', { urls: Array.from({ length: 1 + chance.below(3) }, page) }],
      () => ['/v1/fetch', { urls: [page()], options: { providers: [chance.oneOf(FETCHING)] } }],
      () => ['/v1/fetch', { urls: [page()], options: { providers: chance.some(FETCHING, 3) } }],
      // the same page twice at once, in one shared fetch
      () => ['/v1/fetch', { urls: [`https://www.example.com/shared/${chance.below(40)}`] }],
      () => [
        '/v1/fetch',
        {
          urls: [`https://www.linkedin.com/company/${randomUUID()}`],
          options: { providers: ['brightdata'] },
        },
      ],
    ];
    const statuses: number[] = [];
    for (let wave = 0; wave < WAVES; wave += 1) {
      server.sandbox.clearFaults();
      for (const fault of chance.some(FAULTS, 8)) {
        server.sandbox.inject(chance.oneOf(VENDORS), fault, { times: 1 + chance.below(4) });
      }
      const sent = Array.from({ length: REQUESTS_PER_WAVE }, async () => {
        const [path, body] = chance.oneOf(requests)();
        const leaves = chance.below(8) === 0;
        const signal = leaves ? AbortSignal.timeout(5 + chance.below(80)) : undefined;
        const answer = server.call('POST', path, { body, ...(signal ? { signal } : {}) });
        statuses.push(
          await answer.then(
            ({ status }) => status,
            () => 0,
          ),
        );
      });
      await Promise.all(sent);
    }
    // calls of callers that left are booked when they end
    await expect
      .poll(async () => [await booked(), received()], { timeout: 20_000, interval: 100 })
      .toSatisfy(([books, calls]) => JSON.stringify(books) === JSON.stringify(calls));

    const answered = statuses.filter((status) => status > 0);
    expect([...new Set(answered)].sort()).toEqual([200, 502]);
    expect(answered.length).toBeLessThan(statuses.length);
    expect(server.sandbox.calls.length).toBeGreaterThan(WAVES * REQUESTS_PER_WAVE);

    const unbooked = await db
      .selectFrom('interactions')
      .leftJoin('ledger', 'ledger.interaction_id', 'interactions.id')
      .select('interactions.id')
      .where('ledger.id', 'is', null)
      .execute();
    expect(unbooked).toEqual([]);
    const { count } = await db
      .selectFrom('interactions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBeGreaterThanOrEqual(answered.length);
    expect(Number(count)).toBeLessThanOrEqual(statuses.length);
  });
});
