import { randomUUID } from 'node:crypto';
import { createOutageLog } from '@trawl/base';
import { type OpenDatabase, openDatabase } from '@trawl/database';
import type { Budget } from '@trawl/router';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, ledgerRecord, newProject } from '@trawl/test-support/records';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createLeaseKeeper, type LeaseKeeper } from '../src/leases/keeper.ts';
import { createLeasedBudgets } from '../src/leases/leased-budgets.ts';
import { createLeasedRepeats } from '../src/leases/leased-repeats.ts';

const ANY_CLOCK = Number.MAX_SAFE_INTEGER;
const HOUR_MS = 3_600_000;
/** The last moment of May and the first of June. */
const [MAY, JUNE] = [Date.UTC(2026, 5, 1) - 1, Date.UTC(2026, 5, 1)];

describeOnDatabases(
  'leases',
  (database) => {
    let opened: TestStore;
    let inspector: OpenDatabase;
    let projectId: string;
    const servers: { keeper: LeaseKeeper; close: () => Promise<void> }[] = [];
    beforeAll(async () => {
      opened = await database.open();
      inspector = openDatabase(opened.location, { connections: 1 });
      projectId = await newProject(opened.store);
    });
    afterEach(async () => {
      vi.useRealTimers();
      await Promise.all(servers.splice(0).map(({ close }) => close()));
    });
    afterAll(async () => {
      await inspector.db.destroy();
      await opened.cleanup();
    });

    /** What one server has. */
    function startServer(leaseMs = 60_000, toleranceMs = ANY_CLOCK) {
      const { db } = openDatabase(opened.location, { connections: 2 });
      const { log, lines } = collectingLog();
      const outages = createOutageLog({ log, now: Date.now });
      const keeper = createLeaseKeeper(db, { leaseMs, unbooked: () => [], outages });
      const close = async () => {
        await keeper.stop();
        await db.destroy();
      };
      servers.push({ keeper, close });
      const budgets = createLeasedBudgets(db, keeper, toleranceMs);
      return { budgets, repeats: createLeasedRepeats(db, keeper), keeper, lines };
    }
    type Server = ReturnType<typeof startServer>;

    /** A project with this limit, in micros. */
    async function budgetOf(limitMicros: number): Promise<Budget> {
      const id = randomUUID();
      await inspector.db
        .insertInto('projects')
        .values({ id, name: id, created_at: '', monthly_budget_micros: limitMicros })
        .execute();
      return { owner: { kind: 'project', id }, limitMicros };
    }

    async function reserve({ budgets }: Server, budget: Budget, micros: number, at = MAY) {
      const reserved = await budgets.reserve([budget], micros, at);
      return 'reservation' in reserved ? reserved.reservation : undefined;
    }

    /** The ledger row of a call, booked with the leases that it ends. */
    function book({ owner }: Budget, costMicros: number, at: number, leaseIds: readonly string[]) {
      const interaction = { id: randomUUID(), projectId: owner.id, sessionId: randomUUID() };
      const createdAt = new Date(at).toISOString();
      const row = ledgerRecord(interaction, { costMicros, createdAt });
      return opened.store.recorder.recordLedger([row], leaseIds);
    }

    const endOf = async (table: 'budget_leases' | 'repeat_leases', id: string | undefined) => {
      const rows = await inspector.db
        .selectFrom(table)
        .select('expires_at')
        .where('id', '=', id ?? '')
        .execute();
      return rows[0]?.expires_at.getTime();
    };
    const passTime = (table: 'budget_leases' | 'repeat_leases', span: string) =>
      sql`update ${sql.table(table)} set expires_at = clock_timestamp() - ${span}::interval`.execute(
        inspector.db,
      );

    it('counter bug: "limit from the own cache": the limit of the database counts', async () => {
      const budget = await budgetOf(50);
      const stale = { ...budget, limitMicros: 1_000 };
      expect(await startServer().budgets.reserve([stale], 51, MAY)).toMatchObject({
        overspent: { budget: { limitMicros: 50 }, spentMicros: 0 },
      });
    });

    it('counter bug: "reseeding by adding": servers that start later read the same sums', async () => {
      const budget = await budgetOf(100);
      const first = startServer();
      await book(budget, 30, MAY, []);
      await reserve(first, budget, 20);
      const later = Array.from({ length: 3 }, () => startServer());
      const sums = await Promise.all(
        [first, ...later].map(({ budgets }) => budgets.overspent([budget], 51, MAY)),
      );
      expect(sums).toEqual(
        sums.map(() => expect.objectContaining({ spentMicros: 30, reservedMicros: 20 })),
      );
    });

    it('counter bug: "window rollover": a month starts with nothing, once for all servers', async () => {
      const budget = await budgetOf(100);
      const pair = [startServer(), startServer()] as const;
      const inMay = await reserve(pair[0], budget, 90);
      // requests of both months at the same time, on both servers
      const [may, june] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, (_, n) => reserve(pair[n % 2 ? 1 : 0], budget, 10))),
        Promise.all(
          Array.from({ length: 20 }, (_, n) => reserve(pair[n % 2 ? 1 : 0], budget, 10, JUNE)),
        ),
      ]);
      expect(may.filter(Boolean)).toHaveLength(1);
      expect(june.filter(Boolean)).toHaveLength(10);
      // a cost of May that is booked in June
      await book(budget, 90, MAY, [inMay?.leaseId ?? '']);
      expect(await pair[1].budgets.overspent([budget], 1, JUNE)).toMatchObject({
        spentMicros: 0,
        reservedMicros: 100,
      });
      expect(await pair[1].budgets.overspent([budget], 1, MAY)).toMatchObject({
        spentMicros: 90,
        reservedMicros: 10,
      });
    });

    it('count until the record that books their cost, at any moment exactly once', async () => {
      const budget = await budgetOf(1_000);
      const server = startServer();
      const leases = await Promise.all(
        Array.from({ length: 20 }, () => reserve(server, budget, 10)),
      );
      const sums: number[] = [];
      const booking = Promise.all(
        leases.map((lease) => book(budget, 10, MAY, [lease?.leaseId ?? ''])),
      );
      let isBooked = false;
      void booking.then(() => {
        isBooked = true;
      });
      while (!isBooked) {
        const overspent = await server.budgets.overspent([budget], 1_000, MAY);
        sums.push((overspent?.spentMicros ?? 0) + (overspent?.reservedMicros ?? 0));
      }
      expect(new Set(sums)).toEqual(new Set([200]));
      expect(await server.budgets.overspent([budget], 1_000, MAY)).toMatchObject({
        spentMicros: 200,
        reservedMicros: 0,
      });
    });

    it.each([
      ['ahead of', 40 * 24 * HOUR_MS],
      ['behind', -2 * HOUR_MS],
    ])(
      'refuse a server whose clock is far %s the database, and reserve nothing',
      async (where, byMs) => {
        const budget = await budgetOf(100);
        const { budgets } = startServer(60_000, HOUR_MS);
        const wrong = budgets.reserve([budget], 10, Date.now() + byMs);
        await expect(wrong).rejects.toMatchObject({
          status: 503,
          detail: expect.stringContaining(`minutes ${where} the database's`),
        });
        expect(await budgets.reserve([budget], 100, Date.now())).toHaveProperty('reservation');
      },
    );

    it('are extended while their server works on, and end with its silence', async () => {
      const budget = await budgetOf(100);
      const server = startServer(400);
      server.keeper.start();
      const held = await reserve(server, budget, 100);
      const claim = await server.repeats.claim(repeatable());
      const leaseId = claim.kind === 'granted' ? claim.leaseId : undefined;
      for (const [table, id] of [
        ['budget_leases', held?.leaseId],
        ['repeat_leases', leaseId],
      ] as const) {
        const first = (await endOf(table, id)) ?? Number.NaN;
        await expect.poll(() => endOf(table, id), { timeout: 20_000 }).toBeGreaterThan(first + 400);
      }
      await server.keeper.stop();
      const other = startServer();
      await expect
        .poll(async () => (await reserve(other, budget, 100)) !== undefined, { timeout: 20_000 })
        .toBe(true);
    });

    it('are extended 5 s after an extension that failed, not a third of a lease later', async () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      const server = startServer(60_000);
      const held = await reserve(server, await budgetOf(100), 100);
      const first = (await endOf('budget_leases', held?.leaseId)) ?? Number.NaN;
      vi.advanceTimersByTime(20_000);
      await inspector.db.schema.alterTable('budget_leases').renameTo('elsewhere').execute();
      await server.keeper.tend();
      expect(server.lines).toHaveLength(1);
      await inspector.db.schema.alterTable('elsewhere').renameTo('budget_leases').execute();
      vi.advanceTimersByTime(5_000);
      await server.keeper.tend();
      expect(await endOf('budget_leases', held?.leaseId)).toBeGreaterThan(first);
    });

    it('of a server that ended are removed', async () => {
      const [gone, other] = [startServer(), startServer()];
      const held = await reserve(gone, await budgetOf(100), 100);
      await passTime('budget_leases', '2 hours');
      await other.keeper.tend();
      expect(await endOf('budget_leases', held?.leaseId)).toBeUndefined();
    });

    it('of requests that were given up end when the database works again', async () => {
      const budget = await budgetOf(100);
      const server = startServer();
      const held = await reserve(server, budget, 100);
      await inspector.db.schema.alterTable('budget_leases').renameTo('elsewhere').execute();
      held?.cancel();
      await expect.poll(() => server.lines.length, { timeout: 20_000 }).toBe(1);
      await inspector.db.schema.alterTable('elsewhere').renameTo('budget_leases').execute();
      await server.keeper.tend();
      expect(await endOf('budget_leases', held?.leaseId)).toBeUndefined();
      expect(await reserve(server, budget, 100)).toBeDefined();
    });

    const repeatable = (key: string = randomUUID()) => ({
      projectId,
      keyId: 'key-1',
      repeat: { key, bodyDigest: 'body' },
    });

    /** Claims a request and returns its record. */
    async function claimed(
      server: Server,
      request: ReturnType<typeof repeatable>,
      createdAt?: string,
    ) {
      const { leaseId } = await granted(server, request);
      const repeat = { ...request.repeat, leaseId };
      return interactionRecord({
        projectId,
        keyId: 'key-1',
        repeat,
        ...(createdAt && { createdAt }),
      });
    }

    it('of a refused request are free on all servers when their release resolves', async () => {
      const [one, other] = [startServer(), startServer()];
      const request = repeatable();
      const { leaseId, release } = await granted(one, request);
      let isReleased = false;
      const [releasing] = await whileLocked(leaseId, async () => {
        const resolved = release().then(() => {
          isReleased = true;
        });
        await new Promise(setImmediate);
        expect(isReleased).toBe(false);
        return [resolved];
      });
      await releasing;
      await granted(other, request);
    });

    it('of a refused request end later when the database hangs or fails: the refusal has waited', async () => {
      const [one, other] = [startServer(), startServer()];
      const [hanging, failing] = [repeatable(), repeatable()];
      const first = await granted(one, hanging);
      await whileLocked(first.leaseId, first.release);
      const second = await granted(one, failing);
      await inspector.db.schema.alterTable('repeat_leases').renameTo('elsewhere').execute();
      await second.release();
      expect(one.lines).toHaveLength(1);
      await inspector.db.schema.alterTable('elsewhere').renameTo('repeat_leases').execute();
      await one.keeper.tend();
      await granted(other, hanging);
      await granted(other, failing);
    });

    async function granted(server: Server, request: ReturnType<typeof repeatable>) {
      const claim = await server.repeats.claim(request);
      if (claim.kind !== 'granted') throw new Error(`it is ${claim.kind}`);
      return claim;
    }

    const whileLocked = <Value>(leaseId: string | undefined, work: () => Promise<Value>) =>
      inspector.db.transaction().execute(async (transaction) => {
        await transaction
          .selectFrom('repeat_leases')
          .select('id')
          .where('id', '=', leaseId ?? '')
          .forUpdate()
          .execute();
        return work();
      });

    it('an answer that is recorded late still counts when no other server has begun', async () => {
      const [slow, other] = [startServer(), startServer()];
      const request = repeatable();
      const late = await claimed(slow, request);
      expect(await other.repeats.claim(request)).toMatchObject({
        kind: 'running',
        bodyDigest: 'body',
      });
      await passTime('repeat_leases', '1 minute');
      await opened.store.recorder.record(late);
      expect(await other.repeats.claim(request)).toMatchObject({
        kind: 'answered',
        interactionId: late.id,
      });
    });

    it('an answer that is recorded after another server took over is kept, but is not the answer of the key', async () => {
      const [slow, other] = [startServer(), startServer()];
      const request = repeatable();
      const late = await claimed(slow, request);
      await passTime('repeat_leases', '1 minute');
      const next = await claimed(other, request);
      await opened.store.recorder.record(late);
      expect(await slow.repeats.claim(request)).toMatchObject({ kind: 'running' });
      await opened.store.recorder.record(next);
      expect(await slow.repeats.claim(request)).toMatchObject({ interactionId: next.id });
      expect(
        await opened.store.reader.interaction(projectId, late.sessionId, late.id),
      ).toMatchObject({ id: late.id });
    });

    it('an answer is valid for 24 hours of the database, whatever the clock of its server says', async () => {
      const server = startServer();
      const request = repeatable();
      const record = await claimed(server, request, '2001-01-01T00:00:00.000Z');
      await opened.store.recorder.record(record);
      expect(await server.repeats.claim(request)).toMatchObject({ interactionId: record.id });
      await sql`update repeats set created_at = to_char(
        (now() - interval '24 hours 1 second') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.execute(
        inspector.db,
      );
      expect(await server.repeats.claim(request)).toMatchObject({ kind: 'granted' });
    });

    it('of one key are given to one of many servers that ask at the same time', async () => {
      const many = Array.from({ length: 5 }, () => startServer());
      const request = repeatable();
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, n) => many[n % many.length]?.repeats.claim(request)),
      );
      expect(claims.filter((claim) => claim?.kind === 'granted')).toHaveLength(1);
    });
  },
  'PostgreSQL',
);
