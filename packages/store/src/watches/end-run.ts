import { isoTime, MINUTE_MS, wellFormedJson } from '@trawl/base';
import type { NewsBody, Tables, WatchesTable } from '@trawl/database';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { RunNews, WatchClaim, WatchRunEnd } from './watch-runs.ts';

/** A URL or a text that a run had. */
export interface FoundItem {
  /**
   * Hash of the source (provider and query, or page). Items of its first answer are what later
   * ones are compared with.
   */
  readonly source: string;
  /** Hash of the item. */
  readonly item: string;
  readonly body: NewsBody;
}

/** What a run had. */
export interface WatchFound {
  /** Sources that answered, also those that had nothing. */
  readonly answered: readonly string[];
  readonly items: readonly FoundItem[];
}

/** As many hashes are remembered for a watch; those that were seen last stay. */
const REMEMBERED_MAX = 20_000;
/** Rows of one statement: SQLite takes about 32,000 values. */
const CHUNK = 1_000;

/** The row of a watch, while this claim of its run is in force. */
export const claimed = (db: Kysely<Tables>, { claimId, watch }: WatchClaim) =>
  db.updateTable('watches').where('id', '=', watch.id).where('claim_id', '=', claimId);

/** Writes what a run found. @returns undefined where the run is another process's now */
export async function endRun(
  transaction: Transaction<Tables>,
  claim: WatchClaim,
  end: WatchRunEnd,
): Promise<RunNews | undefined> {
  const { claimId, watch, isExtra } = claim;
  const own = claimed(transaction, claim);
  // locks the row: news get their places one run after the other
  const locked = await own.set({ claim_id: claimId }).executeTakeFirstOrThrow();
  if (locked.numUpdatedRows === 0n) return undefined;
  const row = await transaction
    .selectFrom('watches')
    .selectAll()
    .where('id', '=', watch.id)
    .executeTakeFirstOrThrow();
  const fresh = await freshItems(transaction, watch.id, end);
  const written = await writeNews(transaction, row, fresh, end);
  const isFailure = end.status === 'failed' || end.status === 'refused';
  await own
    .set({
      claim_id: null,
      claimed_until: null,
      next_run_at: isExtra
        ? row.next_run_at
        : nextRunAt(row.next_run_at, end.endedAt, row.interval_minutes),
      last_run_at: isoTime(end.startedAt),
      last_status: end.status,
      last_error: end.error && wellFormedJson(end.error),
      last_interaction_id: end.interactionId,
      failures: isFailure ? row.failures + 1 : 0,
      news_count: row.news_count + written,
    })
    .execute();
  return { count: written, after: row.news_count };
}

/** Remembers all that a run had. @returns what is new, from sources that answered before */
async function freshItems(
  transaction: Transaction<Tables>,
  watchId: string,
  { found: { answered, items }, endedAt }: WatchRunEnd,
): Promise<readonly NewsBody[]> {
  const ofItems = items.flatMap(({ source, item }) => [source, item]);
  const hashes = [...new Set([...answered, ...ofItems])];
  const known = new Set<string>();
  const seenAt = isoTime(endedAt);
  for (const some of chunks(hashes)) {
    const ofWatch = transaction
      .updateTable('watch_seen')
      .set({ seen_at: seenAt })
      .where('watch_id', '=', watchId)
      .where('item', 'in', some)
      .returning('item');
    for (const { item } of await ofWatch.execute()) known.add(item);
  }
  const added = hashes.filter((hash) => !known.has(hash));
  for (const some of chunks(added)) {
    await transaction
      .insertInto('watch_seen')
      .values(some.map((item) => ({ watch_id: watchId, item, seen_at: seenAt })))
      .execute();
  }
  if (added.length > 0) await forgetOldest(transaction, watchId);
  const fresh = new Map<string, NewsBody>();
  for (const { source, item, body } of items) {
    if (known.has(source) && !known.has(item) && !fresh.has(item)) fresh.set(item, body);
  }
  return [...fresh.values()];
}

async function forgetOldest(transaction: Transaction<Tables>, watchId: string): Promise<void> {
  const oldest = transaction
    .selectFrom('watch_seen')
    .select('seen_at')
    .where('watch_id', '=', watchId)
    .orderBy('seen_at', 'desc')
    .offset(REMEMBERED_MAX)
    .limit(1);
  await transaction
    .deleteFrom('watch_seen')
    .where('watch_id', '=', watchId)
    .where('seen_at', '<=', oldest)
    .execute();
}

/** @returns how many were written: none where their interaction was deleted meanwhile */
async function writeNews(
  transaction: Transaction<Tables>,
  { id, news_count: before }: Selectable<WatchesTable>,
  fresh: readonly NewsBody[],
  { interactionId, endedAt }: WatchRunEnd,
): Promise<number> {
  if (fresh.length === 0 || interactionId === null) return 0;
  const interaction = await transaction
    .selectFrom('interactions')
    .select('id')
    .where('id', '=', interactionId)
    .executeTakeFirst();
  if (!interaction) return 0;
  const rows = fresh.map((body, index) => ({
    watch_id: id,
    sequence: before + index + 1,
    first_seen_at: isoTime(endedAt),
    interaction_id: interactionId,
    body: wellFormedJson<NewsBody>(body),
  }));
  for (const some of chunks(rows)) {
    await transaction.insertInto('watch_news').values(some).execute();
  }
  return rows.length;
}

function* chunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += CHUNK) yield rows.slice(start, start + CHUNK);
}

/**
 * When a watch runs next, after a run that was due at one time and ended at another. Runs that were
 * missed meanwhile are not made up for.
 */
function nextRunAt(dueAt: string, endedAt: number, intervalMinutes: number): string {
  const intervalMs = intervalMinutes * MINUTE_MS;
  const next = Date.parse(dueAt) + intervalMs;
  return isoTime(next > endedAt ? next : endedAt + intervalMs);
}
