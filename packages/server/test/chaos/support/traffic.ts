import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseLocation, openDatabase } from '@trawl/database';
import { sql } from 'kysely';
import { FORM } from './figures.ts';
import { load } from './load.ts';
import type { Answer, Trawl } from './server.ts';
import type { Stub } from './stub.ts';

const CLIENTS = 8;
/** A search that only asks exa costs $0.007. */
const COST_USD = 0.007;
/** `REQUEST_DEADLINE_MS`. The leases of a server that ended are over 30 s later. */
export const DEADLINE_MS = 3_000;

/** A request with its own `Idempotency-Key`. Its query occurs in no other one. */
interface Turn {
  readonly query: string;
  /** Whether a key with a budget sends it, to exa. The others have no budget and go to brave. */
  readonly isBudgeted: boolean;
}

/** Where the clients' requests go. */
export interface Target {
  /** For the next request; undefined = no server is ready. */
  next(): Trawl | undefined;
  /** Says that a connection to it failed. */
  failed(server: Trawl): void;
}

export interface TrafficOptions {
  readonly target: Target;
  readonly stub: Stub;
  /** For reading the records directly. */
  readonly location: DatabaseLocation;
  /** How many searches the budget pays for. */
  readonly paidFor: number;
  /**
   * Whether a request that failed, or got a 503, is sent again at once, instead of after the fault.
   */
  readonly retries?: boolean;
}

export interface Checked {
  readonly acknowledged: number;
  /** Acknowledged answers that cannot be read, or differ. */
  readonly missing: number;
  readonly calls: number;
  /** Calls of providers that are in no ledger. */
  readonly unbooked: number;
  /** Searches of the key with the budget that were paid, more than it pays for. */
  readonly overspent: number;
  /** Requests that were recorded twice, and calls for one request at the same time. */
  readonly recordedTwice: number;
  readonly together: number;
  /** Requests for which a provider was called again. */
  readonly repeated: number;
}

/**
 * Searches of clients behind a load balancer, and the check that all was kept that a client relies
 * on.
 */
export interface Traffic {
  /** Sends searches from now until the work is done. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Sends a number of searches. */
  send(count: number): Promise<void>;
  statuses(): readonly number[];
  /** Requests whose connection failed. */
  broken(): number;
  /** Repeats what has no answer yet, until it has one. Resolves with the milliseconds of that. */
  settle(): Promise<number>;
  check(): Promise<Checked>;
}

export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const { target, stub, location, paidFor, retries = false } = options;
  const limit = (paidFor * COST_USD).toFixed(3);
  const first = target.next();
  if (!first) throw new Error('no server is ready');
  const budgeted = await first.makeKey(randomUUID(), '--monthly-budget', limit);
  await stub.clear();
  const before = await bookedCalls(location);
  const answered = new Map<Turn, string>();
  const open = new Set<Turn>();
  const statuses: number[] = [];
  let broken = 0;

  const keyOf = ({ isBudgeted }: Turn) => (isBudgeted ? budgeted : first.key);
  const ask = (turn: Turn, replica: Trawl): Promise<Answer> =>
    replica.call('/v1/search', {
      method: 'POST',
      key: keyOf(turn),
      headers: { 'idempotency-key': turn.query.replace(' ', '-') },
      body: {
        user_input: { query: turn.query },
        search: { providers: { include: [turn.isBudgeted ? 'exa' : 'brave'] } },
      },
    });
  /** @returns whether it has its answer */
  const attempt = async (turn: Turn): Promise<boolean> => {
    let replica = target.next();
    while (!replica) {
      await delay(50);
      replica = target.next();
    }
    try {
      const { status, text } = await ask(turn, replica);
      statuses.push(status);
      if (status === 503) await delay(50);
      if (status === 200) answered.set(turn, text);
      return status !== 503;
    } catch {
      broken += 1;
      target.failed(replica);
      return false;
    }
  };
  const search = async (at: number) => {
    // in pairs: requests take turns on two replicas, and each gets both kinds
    const turn = { query: `turn ${randomUUID()}`, isBudgeted: at % 4 < 2 };
    let isDone = await attempt(turn);
    while (!isDone && retries) isDone = await attempt(turn);
    if (!isDone) open.add(turn);
  };
  const unreadable = async () => {
    let missing = 0;
    const answers = [...answered];
    await load({ clients: CLIENTS, turns: answers.length }, async (at) => {
      const [turn, text] = answers[at] ?? [];
      if (!turn || !text) return;
      const { session_id, interaction_id } = JSON.parse(text);
      const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
      const read = await target.next()?.call(path, { key: keyOf(turn) });
      if (!read?.text.startsWith(text.slice(0, -1))) missing += 1;
    });
    return missing;
  };

  return {
    during: async (work) => {
      let isOver = false;
      const searching = load(
        { clients: CLIENTS, turns: Number.POSITIVE_INFINITY, until: () => isOver },
        search,
      );
      try {
        return await work();
      } finally {
        isOver = true;
        await searching;
      }
    },
    send: async (count) => void (await load({ clients: CLIENTS, turns: count }, search)),
    statuses: () => statuses,
    broken: () => broken,
    settle: async () => {
      const startedAt = performance.now();
      // the full form waits for the database's clock: a repeat gets 503 until its lease is over
      if (FORM === 'short') await endLeases(location);
      const turns = [...open];
      open.clear();
      await load({ clients: CLIENTS, turns: turns.length }, async (at) => {
        const turn = turns[at];
        while (turn && !(await attempt(turn))) await delay(50);
      });
      return performance.now() - startedAt;
    },
    check: async () => {
      const { calls, byVendor, repeated, together } = await stub.counts();
      return {
        acknowledged: answered.size,
        missing: await unreadable(),
        calls,
        unbooked: calls - ((await bookedCalls(location)) - before),
        overspent: Math.max(0, (byVendor.exa ?? 0) - paidFor),
        recordedTwice: await recordedTwice(location),
        together,
        repeated,
      };
    },
  };
}

async function numberOf(location: DatabaseLocation, query: string): Promise<number> {
  const { db } = openDatabase(location, { connections: 1 });
  try {
    const { rows } = await sql.raw<{ found: number }>(query).execute(db);
    return Number(rows[0]?.found ?? 0);
  } finally {
    await db.destroy();
  }
}

const bookedCalls = (location: DatabaseLocation): Promise<number> =>
  numberOf(location, 'select coalesce(sum(calls), 0) as found from ledger');

const recordedTwice = (location: DatabaseLocation): Promise<number> =>
  numberOf(
    location,
    `select count(*) as found from (select user_input from interactions
      where user_input like '%turn%' group by user_input having count(*) > 1) as doubled`,
  );

/** Lets the database's clock pass the end of all leases. */
async function endLeases(location: DatabaseLocation): Promise<void> {
  for (const table of ['budget_leases', 'repeat_leases']) {
    await numberOf(location, `update ${table} set expires_at = clock_timestamp()`);
  }
}
