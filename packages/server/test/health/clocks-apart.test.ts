import { systemClock } from '@trawl/base';
import { describeOnDatabases, onlyOn, type TestDatabase } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { expect, it } from 'vitest';

const MINUTE = 60_000;
const APART = byForm({ small: [2 * MINUTE], full: [5_000, 2 * MINUTE] });
const BECAME_ILL = 'the answers of a provider went bad';

describeOnDatabases('the health that servers decide whose clocks differ', (database) => {
  let offset = 0;
  let asked = 0;

  const start = (aheadMs: number, shared?: TestServer): Promise<TestServer> => {
    const own: TestDatabase = shared
      ? { ...database, create: async () => ({ ...shared.database, drop: async () => {} }) }
      : database;
    return startTestServer({
      database: own,
      clock: { now: () => Date.now() + offset + aheadMs, newId: systemClock.newId },
      healthPauseMs: 100,
      env: { DEFAULT_SEARCH_PROVIDERS: 'exa,brave' },
    });
  };

  /** So many searches of each server, by turns; eight of each take a minute. */
  const ask = async (servers: readonly TestServer[], count: number) => {
    for (let at = 0; at < count; at += 8) {
      const answers = servers.flatMap((server) =>
        Array.from({ length: Math.min(8, count - at) }, () => {
          asked += 1;
          return server.search({ user_input: { query: `tides ${asked}` } });
        }),
      );
      for (const { status, text } of await Promise.all(answers)) expect(status, text).toBe(200);
      offset += MINUTE;
    }
  };
  const healthOf = async (server: TestServer, slug = 'exa') => {
    const { json } = await server.call('GET', '/v1/preprocessors', { key: null });
    return json.preprocessors.find((one: { slug: string }) => one.slug === slug).health;
  };
  const become = async (servers: readonly TestServer[], state: string) => {
    for (const server of servers) {
      await expect
        .poll(async () => (await healthOf(server)).state, { timeout: 10_000 })
        .toBe(state);
    }
  };
  /** The same on all servers. */
  const sinceOn = async ([first, ...others]: readonly [TestServer, ...TestServer[]]) => {
    const { since } = await healthOf(first);
    for (const other of others) expect((await healthOf(other)).since).toBe(since);
    return Date.parse(since);
  };
  const illnesses = (servers: readonly TestServer[]): number =>
    servers.reduce((sum, server) => sum + server.logged().split(BECAME_ILL).length - 1, 0);

  // one server alone uses the embedded database
  onlyOn(database, 'PostgreSQL')('at the same time', { timeout: 120_000 }, async () => {
    for (const apart of APART) await expectOneIllness(apart);
  });

  const expectOneIllness = async (apart: number) => {
    const first = await start(0);
    const second = await start(apart, first);
    const both = [first, second] as const;
    try {
      await ask(both, 72);
      await become(both, 'well');
      await sinceOn(both);

      // both see what one of them alone was answered, and say it once
      second.sandbox.inject('exa', 'empty');
      await ask([second], 72);
      await become(both, 'ill');
      const since = await sinceOn(both);
      expect(since).toBeLessThanOrEqual(Date.now());
      expect((await healthOf(first, 'brave')).state).toBe('well');
      expect(illnesses(both)).toBe(1);

      second.sandbox.clearFaults();
      await ask(both, 32);
      await become(both, 'well');
      expect(await sinceOn(both)).toBeGreaterThan(since);
      await ask(both, 64);
      await become(both, 'well');
      expect(illnesses(both)).toBe(1);
    } finally {
      await second.stop();
      await first.stop();
    }
  };

  // on a change, PostgreSQL has the test above
  const onChange = database.name === 'SQLite' ? [-2 * MINUTE] : [];
  it.each(byForm({ small: onChange, full: [5_000, -2 * MINUTE] }))(
    'by %i ms before and after a restart',
    { timeout: 120_000 },
    async (apart) => {
      const first = await start(0);
      try {
        await ask([first], 136);
        await become([first], 'well');
        first.sandbox.inject('exa', 'empty');
        await ask([first], 72);
        await become([first], 'ill');
        const since = await sinceOn([first]);
        await first.server.stop();

        const again = await start(apart, first);
        try {
          again.sandbox.inject('exa', 'empty');
          await become([again], 'ill');
          await ask([again], 24);
          await become([again], 'ill');
          expect(await sinceOn([again])).toBe(since);

          again.sandbox.clearFaults();
          await ask([again], 64);
          await become([again], 'well');
          expect(await sinceOn([again])).toBeGreaterThan(since);
          await ask([again], 64);
          await become([again], 'well');
          expect(illnesses([first, again])).toBe(1);
        } finally {
          await again.stop();
        }
      } finally {
        await first.stop();
      }
    },
  );
});
