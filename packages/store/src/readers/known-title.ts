import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenDatabase } from '@trawl/database';
import { sql } from 'kysely';

/**
 * How many of a project's newest interactions with titles are searched, and how many at once: the
 * embedded database is read on the calling thread, and other requests get their turn.
 */
const SEARCHED = 20_000;
const SEARCHED_AT_ONCE = 1_000;

/**
 * The title that this project's interactions saw last for a comparable URL. Looks through the
 * titles of the newest interactions, since few pages come without a title and an index of all
 * titles would cost every search.
 */
export async function readKnownTitle(
  database: OpenDatabase,
  projectId: string,
  url: string,
): Promise<string | undefined> {
  // as JSON writes the member
  const member = `${JSON.stringify(url)}:`;
  let before = Number.MAX_SAFE_INTEGER;
  for (let searched = 0; searched < SEARCHED; searched += SEARCHED_AT_ONCE) {
    const { oldest, titles } = await searchNext(database, projectId, member, before);
    if (titles !== null) return titleIn(titles, url);
    if (oldest === null) break;
    before = oldest;
    await nextTurn();
  }
  return undefined;
}

interface Searched {
  /** The oldest of the interactions that were searched; null = there are no more. */
  readonly oldest: number | null;
  /** Those of the newest interaction that has the URL. */
  readonly titles: string | null;
}

async function searchNext(
  { db, textContains }: OpenDatabase,
  projectId: string,
  member: string,
  before: number,
): Promise<Searched> {
  const found = await sql<Searched>`
    with newest as (
      select sequence, titles from interactions
      where project_id = ${projectId} and titles is not null and sequence < ${before}
      order by sequence desc limit ${SEARCHED_AT_ONCE}
    )
    select (select min(sequence) from newest) as oldest, (
      select titles from newest where ${textContains(sql.ref('titles'), member)}
      order by sequence desc limit 1
    ) as titles`.execute(db);
  return found.rows[0] ?? { oldest: null, titles: null };
}

/** Our own JSON. */
const titleIn = (titles: string, url: string): string | undefined =>
  (JSON.parse(titles) as Readonly<Record<string, string>>)[url];
