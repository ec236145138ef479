import { hash } from 'node:crypto';
import type { InteractionRecord } from '@trawl/router';
import { sql, type Transaction } from 'kysely';
import type { OpenDatabase } from '../database/open-database.ts';
import type { KnownTitlesTable, Tables } from '../database/tables.ts';

const TITLE_CHARACTERS = 500;
/** 96 bits in base64. */
const URL_KEY_CHARACTERS = 16;

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A title row whose interaction does not have a number yet. */
export type TitleRow = Omit<KnownTitlesTable, 'interaction_sequence'>;

/** One row per URL, with the last title that the interaction saw. */
export function titleRows({
  projectId,
  titles,
}: Pick<InteractionRecord, 'projectId' | 'titles'>): readonly TitleRow[] {
  const last = new Map(titles.map(({ url, title }) => [url, title]));
  return [...last].map(([url, title]) => ({
    url_key: urlKey(projectId, url),
    title: storableTitle(title),
  }));
}

/** Writes all rows in one statement. Its text is the same for any number of rows, so it is prepared only once. */
export async function insertTitles(
  transaction: Transaction<Tables>,
  { jsonElements }: Pick<OpenDatabase, 'jsonElements'>,
  rows: readonly KnownTitlesTable[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => [row.interaction_sequence, row.url_key, row.title]);
  await sql`
    insert into known_titles (interaction_sequence, url_key, title)
    select cast(value ->> 0 as bigint), value ->> 1, value ->> 2
    from ${jsonElements(JSON.stringify(values))}`.execute(transaction);
}

/** By URL as given: the last title that this project's interactions saw there. A URL without a title is left out. */
export async function readTitles(
  { db, jsonElements }: Pick<OpenDatabase, 'db' | 'jsonElements'>,
  projectId: string,
  urls: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (urls.length === 0) return new Map();
  const urlOf = new Map(urls.map((url) => [urlKey(projectId, url), url]));
  const wanted = JSON.stringify([...urlOf.keys()].map((key) => [key]));
  const found = await sql<{ wanted: string; title: string | null }>`
    select value ->> 0 as wanted, (
      select title from known_titles
      join interactions on interactions.sequence = known_titles.interaction_sequence
      where url_key = (value ->> 0) and interactions.project_id = ${projectId}
      order by interaction_sequence desc limit 1
    ) as title
    from ${jsonElements(wanted)}`.execute(db);
  const titles = new Map<string, string>();
  for (const row of found.rows) {
    const url = urlOf.get(row.wanted);
    if (url !== undefined && row.title !== null) titles.set(url, row.title);
  }
  return titles;
}

/**
 * Includes the project, so that a page that many projects find is searched only among the project's own interactions.
 */
function urlKey(projectId: string, url: string): string {
  return hash('sha256', `${projectId} ${url}`, 'base64url').slice(0, URL_KEY_CHARACTERS);
}

/** Databases do not store U+0000 and lone surrogates, and cutting may split a surrogate pair. */
function storableTitle(title: string): string {
  return title
    .slice(0, TITLE_CHARACTERS)
    .replaceAll('\u0000', '\uFFFD')
    .replace(LONE_SURROGATE, '\uFFFD');
}
