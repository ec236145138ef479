import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { type CallOutcome, createBreaker } from '@trawl/upstream/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSharedCircuits } from '../src/circuits/circuits.ts';
import { closeLinks, state, type TestLink, testLink, twoLinks } from './support/links.ts';

const CIRCUIT = 'acme:search';
const LEASE_MS = 30_000;
const BAD_KEY: CallOutcome = { code: 'invalid_credential', retryAfterMs: null };
const RATE_LIMITED: CallOutcome = { code: 'rate_limited', retryAfterMs: 400 };

/** A replica: its breaker, and a clock that began at another time. */
function replica(link: TestLink, skewMs: number, mark: string) {
  const elapsed = () => performance.now() + skewMs;
  const circuits = createSharedCircuits(link, {
    elapsed,
    log: { info: () => {}, warn: () => {} },
    markOf: () => mark,
  });
  const breaker = createBreaker(elapsed, circuits);
  const stateNow = () => breaker.health(CIRCUIT).state;
  return {
    breaker,
    stateNow,
    becomes: (wanted: string) => vi.waitFor(() => expect(stateNow()).toBe(wanted), { interval: 5 }),
    async call(outcome: CallOutcome) {
      const admission = await breaker.admitShared(CIRCUIT, LEASE_MS);
      if (admission.isAdmitted) breaker.settle(CIRCUIT, admission.isProbe, outcome);
      return admission;
    },
  };
}

describe.skipIf(redisAbsent)('circuits of two replicas', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(closeLinks);
  afterAll(() => redis.kill());

  async function setUp(marks: readonly [string, string] = ['k1', 'k1']) {
    const links = twoLinks(redis.url);
    // the second was started ten minutes earlier
    const one = replica(links[0], 0, marks[0]);
    const other = replica(links[1], 600_000, marks[1]);
    await Promise.all(links.map((link) => link.start()));
    return { one, other, links };
  }

  test('a key that one finds refused is not sent by the other, although its clock says something else', async () => {
    const { one, other } = await setUp();
    await one.call(BAD_KEY);
    await other.becomes('open');
    const { cause, retryAfterMs } = other.breaker.health(CIRCUIT);
    expect(cause).toBe('invalid_credential');
    expect(retryAfterMs).toBeGreaterThan(25_000);
    expect(retryAfterMs).toBeLessThanOrEqual(30_000);
    expect((await other.call('succeeded')).isAdmitted).toBe(false);
  });

  test('failures are counted by each alone until one opens the circuit', async () => {
    const { one, other } = await setUp();
    const failed: CallOutcome = { code: 'timeout', retryAfterMs: null };
    for (let call = 0; call < 4; call += 1)
      await Promise.all([one.call(failed), other.call(failed)]);
    expect([one.stateNow(), other.stateNow()]).toEqual(['closed', 'closed']);
    await one.call(failed);
    await other.becomes('open');
  });

  test('after the cool-down one replica probes, and its success closes the circuit for both', async () => {
    const { one, other } = await setUp();
    await one.call(RATE_LIMITED);
    await other.becomes('open');
    await Promise.all([one.becomes('half_open'), other.becomes('half_open')]);
    const asked = await Promise.all([
      one.breaker.admitShared(CIRCUIT, LEASE_MS),
      other.breaker.admitShared(CIRCUIT, LEASE_MS),
    ]);
    expect(asked.filter(({ isAdmitted }) => isAdmitted)).toEqual([
      { isAdmitted: true, isProbe: true },
    ]);
    const [prober, waiter] = asked[0].isAdmitted ? [one, other] : [other, one];
    prober.breaker.settle(CIRCUIT, true, 'succeeded');
    await waiter.becomes('closed');
    expect(await waiter.call('succeeded')).toEqual({ isAdmitted: true, isProbe: false });
  });

  test('a failed probe opens it again for both, and the other does not probe in between', async () => {
    const { one, other } = await setUp();
    await one.call(RATE_LIMITED);
    await other.becomes('half_open');
    await one.becomes('half_open');
    await one.call(BAD_KEY);
    expect((await other.call('succeeded')).isAdmitted).toBe(false);
    await other.becomes('open');
  });

  test('a probe that said nothing may be made by the other, a second later at most', async () => {
    const { one, other } = await setUp();
    await one.call(RATE_LIMITED);
    await other.becomes('half_open');
    await one.becomes('half_open');
    await one.call('neutral');
    const isFree = async () => expect((await other.call('neutral')).isAdmitted).toBe(true);
    await vi.waitFor(isFree, 5_000);
  });

  test('a refused key means nothing to a replica that has another one already', async () => {
    const { one, other } = await setUp(['old', 'new']);
    await one.call(BAD_KEY);
    await other.call('neutral');
    one.breaker.settle('other:search', false, RATE_LIMITED);
    await vi.waitFor(() => expect(other.breaker.health('other:search').state).toBe('open'));
    expect(other.stateNow()).toBe('closed');
  });

  test('one of several refused keys is known to a replica whose list is another one', async () => {
    const { one, other } = await setUp(['old', 'new']);
    const circuit = 'acme:search:0123456789ab';
    one.breaker.settle(circuit, false, BAD_KEY);
    await vi.waitFor(() => expect(other.breaker.health(circuit).state).toBe('open'));
    expect(other.stateNow()).toBe('closed');
  });

  test('what changed while Redis was away is known to both when it is back', async () => {
    const { one, other, links } = await setUp();
    await one.call(BAD_KEY);
    await other.becomes('open');
    const went = Promise.all(links.map((link) => state(link, false)));
    await redis.kill();
    await went;
    one.breaker.settle('gone:fetch', false, { ...RATE_LIMITED, retryAfterMs: 60_000 });
    expect(one.breaker.health('gone:fetch').state).toBe('open');
    expect(other.breaker.health('gone:fetch').state).toBe('closed');
    const came = Promise.all(links.map((link) => state(link, true)));
    await redis.start();
    await came;
    await vi.waitFor(() => expect(other.breaker.health('gone:fetch').state).toBe('open'));
  });

  test('a replica that starts later knows what is open', async () => {
    const { one, links } = await setUp();
    await one.call(BAD_KEY);
    await vi.waitFor(async () =>
      expect(await redis.cli('HLEN', links[0].key('circuits'))).toBe('1'),
    );
    const deploymentId = links[0].key('').slice('trawl:{'.length, -'}:'.length);
    const link = testLink(redis.url, deploymentId);
    const late = replica(link, 0, 'k1');
    await link.start();
    await late.becomes('open');
  });

  test('messages that are not ours change nothing', async () => {
    const { other, links } = await setUp();
    const channel = links[0].key('circuits');
    const open = {
      from: 'x',
      circuit: CIRCUIT,
      cause: 'timeout',
      openings: 1,
      openMs: 1e12,
      mark: '',
    };
    const wrong = ['', '{', '[]', '{"circuit":1}', JSON.stringify({ ...open, cause: 'toString' })];
    for (const text of [...wrong, JSON.stringify({ ...open, openMs: -1 })]) {
      await redis.cli('PUBLISH', channel, text);
    }
    expect(other.stateNow()).toBe('closed');
    await redis.cli('PUBLISH', channel, JSON.stringify(open));
    await other.becomes('open');
    // a quarter of an hour at most, whatever the message says
    expect(other.breaker.health(CIRCUIT).retryAfterMs).toBeLessThanOrEqual(900_000);
  });
});
