import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InteractionOutcome } from '@trawl/contract';
import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';
import { batches, idsOf, type SessionHead } from './heads.ts';
import { readSpent, type Spent } from './spent.ts';

/** What the interactions and the ledger say of a session. */
export interface ListedSession {
  readonly head: SessionHead;
  readonly counts: readonly CountRow[];
  /** undefined = without a ledger row. */
  readonly spent: Spent | undefined;
  /** Its first interaction with an input, or the first of all; undefined = deleted meanwhile. */
  readonly first: FirstRow | undefined;
}

interface CountRow {
  readonly session_id: string;
  readonly outcome: InteractionOutcome;
  readonly key_id: string;
  readonly user_id: string | null;
  readonly count: number;
}

interface FirstRow {
  readonly session_id: string;
  readonly user_input: string | null;
  readonly normalized_schema_version: number | null;
  readonly metadata: string | null;
}

/** Longer metadata is not read for a list. */
export const METADATA_READ = 4_000;

/**
 * In the order of the heads, a few sessions at once.
 * @param inputCharacters how much of the first input is read
 */
export async function* readListedSessions(
  db: Kysely<Tables>,
  projectId: string,
  heads: readonly SessionHead[],
  inputCharacters: number,
): AsyncGenerator<readonly ListedSession[]> {
  for (const batch of batches(heads)) {
    const counts = groupedBy(await readCounts(db, projectId, batch), (row) => row.session_id);
    const spent = await readSpent(db, projectId, batch);
    const firsts = await readFirsts(db, projectId, batch, inputCharacters);
    yield batch.map((head) => ({
      head,
      counts: counts.get(head.id) ?? [],
      spent: spent.get(head.id),
      first: firsts.find(({ session_id }) => session_id === head.id),
    }));
    await nextTurn();
  }
}

async function readCounts(
  db: Kysely<Tables>,
  projectId: string,
  heads: readonly SessionHead[],
): Promise<readonly CountRow[]> {
  const { rows } = await sql<CountRow>`
    select session_id, outcome, key_id, user_id, cast(count(*) as bigint) as count from interactions
    where session_id in (${idsOf(heads)}) and project_id = ${projectId}
    group by session_id, outcome, key_id, user_id`.execute(db);
  return rows;
}

async function readFirsts(
  db: Kysely<Tables>,
  projectId: string,
  heads: readonly SessionHead[],
  inputCharacters: number,
): Promise<readonly FirstRow[]> {
  const { rows } = await sql<FirstRow>`
    select session_id, substr(user_input, 1, ${sql.lit(inputCharacters)}) as user_input,
      normalized_schema_version,
      case when length(metadata) <= ${sql.lit(METADATA_READ)} then metadata end as metadata
    from interactions where sequence in (
      select (
        select sequence from interactions as own
        where own.session_id = sessions.id and own.project_id = ${projectId}
        order by own.user_input is null, own.created_at, own.sequence limit 1
      ) from sessions where sessions.id in (${idsOf(heads)})
    )`.execute(db);
  return rows;
}

/** How many interactions ended in each way. @param rows any number for each outcome */
export function outcomeCounts(
  rows: readonly { readonly outcome: InteractionOutcome; readonly count: number }[],
): Record<InteractionOutcome, number> {
  const counts = { succeeded: 0, partial: 0, failed: 0 };
  for (const { outcome, count } of rows) counts[outcome] += count;
  return counts;
}

/** Rows by a key, in their order. */
export function groupedBy<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
