import { setImmediate as nextTurn } from 'node:timers/promises';
import { faultCode, faultKind } from '@trawl/base';
import { checkIntegrity, DamagedError, type OpenDatabase, type Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';
import { deleteSessionSlice, sweepSlice } from './delete-slice.ts';
import { writeFeedback } from './feedback.ts';
import {
  type GroupItem,
  type GroupWriter,
  ledgerItem,
  recordItem,
  UncertainCommitError,
} from './group-item.ts';
import { createGroupWriter } from './group-writer.ts';
import {
  COMMITTED,
  type FromRecorder,
  GROUP_CHARACTERS,
  type Outcome,
  type Result,
  type Task,
  type Trial,
} from './recorder-protocol.ts';
import { writeTrial } from './trial-write.ts';

/** The items of one transaction at most. */
const GROUP_ITEMS = 64;

/**
 * How long the items of a failed group are retried one by one. An unreachable database must not be
 * tried 64 times.
 */
const RETRY_BUDGET_MS = 5_000;

export interface GroupCommit {
  add(task: Task): void;
  /** Resolves when everything that was added is settled. Nothing may be added after it. */
  drain(): Promise<void>;
}

/**
 * Deletes, feedback and probes have their own transactions, so the order within a group does not
 * matter.
 */
type Queued = Shared | Single;

interface Shared {
  readonly kind: 'shared';
  readonly ticket: number;
  readonly characters: number;
  readonly item: GroupItem;
}

interface Single {
  readonly kind: 'single';
  readonly ticket: number;
  readonly perform: () => Promise<Result>;
}

/**
 * Commits everything that is added together in one transaction, and settles it after the commit.
 */
export function createGroupCommit(
  database: OpenDatabase,
  settle: (outcomes: FromRecorder) => void,
): GroupCommit {
  const recording: Recording = { database, write: createGroupWriter(database) };
  const queue: Queued[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    // all that came together is in the queue before this goes on
    await undefined;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (next.kind === 'shared') {
        settle(await commitTogether(recording, takeGroup(queue)));
      } else {
        queue.shift();
        settle([await outcomeOf(next.ticket, next.perform)]);
      }
      if (queue.length > 0) await nextTurn();
    }
    working = undefined;
  }

  return {
    add: (task) => {
      queue.push(queued(recording, task));
      working ??= work();
    },
    drain: async () => working,
  };
}

interface Recording {
  readonly database: OpenDatabase;
  readonly write: GroupWriter;
}

function queued({ database, write }: Recording, task: Task): Queued {
  const { ticket, characters, operation } = task;
  switch (operation.kind) {
    case 'record':
      return { kind: 'shared', ticket, characters, item: recordItem(operation.record) };
    case 'ledger':
      return {
        kind: 'shared',
        ticket,
        characters,
        item: ledgerItem(operation.rows, operation.budgetLeaseIds),
      };
    case 'feedback':
      return {
        kind: 'single',
        ticket,
        perform: () => writeFeedback(database.db, operation.feedback),
      };
    case 'delete':
      return { kind: 'single', ticket, perform: () => deleteSessionSlice(database, operation) };
    case 'sweep':
      return { kind: 'single', ticket, perform: () => sweepSlice(database, operation) };
    case 'probe':
      return { kind: 'single', ticket, perform: () => probe(database.db) };
    case 'trial':
      return { kind: 'single', ticket, perform: () => tryRecord(database, write, operation) };
  }
}

/**
 * Files up to these sizes are checked, during which nothing is written: `small` takes about a
 * second, `whole` ends well before the thread counts as stalled.
 */
const INTEGRITY_BYTES = { small: 256_000_000, whole: 2_000_000_000 } as const;

async function tryRecord(
  database: OpenDatabase,
  write: GroupWriter,
  { bytes, integrity }: Trial,
): Promise<Result> {
  if (integrity !== 'none') {
    const done = await checkIntegrity(database, INTEGRITY_BYTES[integrity]);
    if (integrity === 'whole' && database.isEmbedded && done === 'not_checked') {
      throw new DamagedError('the file is too large to be checked while the server runs');
    }
  }
  await writeTrial(database.db, write, bytes);
  return { status: 'committed', found: true };
}

/** Removes the items of the next transaction from the queue, at least the first one. */
function takeGroup(queue: Queued[]): readonly Shared[] {
  const group: Shared[] = [];
  const owners = new Map<string, string>();
  let characters = 0;
  for (const next of queue) {
    if (next.kind !== 'shared' || group.length >= GROUP_ITEMS) break;
    characters += next.characters;
    if (group.length > 0 && characters > GROUP_CHARACTERS) break;
    if (isClaimedByOther(owners, next.item)) break;
    group.push(next);
  }
  queue.splice(0, group.length);
  return group;
}

/**
 * Whether another project claims the item's session in the same group. A transaction knows who owns
 * a session only at its end.
 */
function isClaimedByOther(owners: Map<string, string>, { record }: GroupItem): boolean {
  if (!record) return false;
  const { id, projectId } = record.session;
  const owner = owners.get(id) ?? projectId;
  owners.set(id, owner);
  return owner !== projectId;
}

async function commitTogether(
  recording: Recording,
  group: readonly Shared[],
): Promise<FromRecorder> {
  try {
    const items = group.map(({ item }) => item);
    const stored = await recording.write(items);
    // pushed: what an optimized `map` returns counts as an array with holes, and crosses to the
    // other thread with its keys
    const outcomes: (number | Outcome)[] = [];
    for (const { ticket, item } of group) {
      outcomes.push(stored.has(item) ? ticket : { ticket, status: 'taken' });
    }
    return outcomes;
  } catch (error) {
    return commitSeparately(recording, group, error);
  }
}

/**
 * Commits each item of a failed group separately, so that one bad item does not fail the others. A
 * broken connection is also worth a retry. A database that does not answer is not, nor is a very
 * large item that was too slow: each try would take as long as the first, and all others wait.
 */
async function commitSeparately(
  { database, write }: Recording,
  group: readonly Shared[],
  groupError: unknown,
): Promise<readonly Outcome[]> {
  const kind = faultKind(groupError);
  const isLarge = group.some(({ characters }) => characters >= GROUP_CHARACTERS);
  if (kind === 'no_answer' || (kind === 'slow' && isLarge)) {
    return group.map(({ ticket }) => failed(ticket, groupError));
  }
  const giveUpAt = performance.now() + RETRY_BUDGET_MS;
  const uncertain = groupError instanceof UncertainCommitError;
  const commit = async (item: GroupItem): Promise<Result> => {
    if (uncertain && (await isStored(database.db, item))) return COMMITTED;
    try {
      return resultOf(await write([item]), item);
    } catch (error) {
      // the server may have gone on with the group after its connection broke
      if (uncertain && (await isStored(database.db, item).catch(() => false))) return COMMITTED;
      throw error;
    }
  };
  const outcomes: Outcome[] = [];
  for (const { ticket, item } of group) {
    outcomes.push(
      performance.now() > giveUpAt
        ? failed(ticket, groupError)
        : await outcomeOf(ticket, () => commit(item)),
    );
  }
  return outcomes;
}

async function outcomeOf(ticket: number, perform: () => Promise<Result>): Promise<Outcome> {
  try {
    return { ticket, ...(await perform()) };
  } catch (error) {
    return failed(ticket, error);
  }
}

function failed(ticket: number, error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  return { ticket, status: 'failed', message, code: faultCode(error) };
}

function resultOf(stored: ReadonlySet<GroupItem>, item: GroupItem): Result {
  return stored.has(item) ? COMMITTED : { status: 'taken' };
}

/**
 * Whether this item's interaction is stored after an uncertain commit. Ledger rows alone can always
 * be written again.
 */
async function isStored(db: Kysely<Tables>, item: GroupItem): Promise<boolean> {
  if (!item.record) return false;
  const row = await db
    .selectFrom('interactions')
    .select('id')
    .where('id', '=', item.record.session.interactionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The tables of a record, each with one of its columns. */
const RECORD_TABLES = {
  sessions: 'id',
  interactions: 'id',
  runs: 'id',
  ledger: 'id',
  repeats: 'key_id',
  usage_days: 'day',
  search_answers: 'fingerprint',
} as const satisfies Partial<Record<keyof Tables, string>>;

/**
 * Inserts zero rows into each table of a record, overwrites a row with itself, and commits. It
 * fails whenever a record would fail: when nothing can be written, or a table is missing or
 * forbidden.
 */
async function probe(db: Kysely<Tables>): Promise<Result> {
  await db.transaction().execute(async (transaction) => {
    for (const [name, columnName] of Object.entries(RECORD_TABLES)) {
      const table = sql.table(name);
      const column = sql.ref(columnName);
      await sql`insert into ${table} (${column}) select ${column} from ${table} where 1 = 0`.execute(
        transaction,
      );
    }
    await transaction
      .insertInto('settings')
      .values({ name: 'probe', value: '' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
      .execute();
  });
  return { status: 'committed', found: true };
}
