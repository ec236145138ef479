import { createSlices, type JsonText } from '@trawl/base';
import type { MergedList, PostprocessorRun, PreprocessorRun } from '@trawl/contract';
import type { RunsTable, Tables } from '@trawl/database';
import type { ReadStep } from '@trawl/router';
import { type Kysely, sql } from 'kysely';

/** The JSON texts of an interaction's runs, by kind and in order. */
export interface RunTexts {
  readonly preprocessorRuns: JsonText<PreprocessorRun>[];
  readonly postprocessorRuns: JsonText<PostprocessorRun>[];
  readonly mergedLists: JsonText<MergedList>[];
}

export interface StoredRun extends Pick<RunsTable, 'interaction_id' | 'kind' | 'position'> {
  readonly bytes: number;
  /** null = larger than `READ_AT_ONCE_BYTES`, and still to be read. */
  readonly body: RunsTable['body'] | null;
}

/** A larger body is read separately, when it is its turn. */
const READ_AT_ONCE_BYTES = 64 * 1024;
/** What a character of a text (a UTF-16 code unit) takes at most as UTF-8. */
const BYTES_PER_CHARACTER = 3;

// neither database reads a body to learn its size
const BYTES = sql<number>`octet_length(body)`;
const SMALL_BODY = sql<
  RunsTable['body'] | null
>`case when octet_length(body) <= ${sql.lit(READ_AT_ONCE_BYTES)} then body end`;

/** By interaction id, each in order; an interaction without runs is left out. */
export async function readStoredRuns(
  db: Kysely<Tables>,
  interactionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredRun[]>> {
  if (interactionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('runs')
    .select(['interaction_id', 'kind', 'position'])
    .select([BYTES.as('bytes'), SMALL_BODY.as('body')])
    .where('interaction_id', 'in', interactionIds)
    .orderBy('interaction_id')
    .orderBy('kind')
    .orderBy('position')
    .execute();
  const found = new Map<string, StoredRun[]>();
  for (const row of rows) {
    const runs = found.get(row.interaction_id);
    if (runs) runs.push(row);
    else found.set(row.interaction_id, [row]);
  }
  return found;
}

export interface ReadOptions {
  /** Absent = no limit. */
  readonly charactersMax?: number | undefined;
  /** Called after each text. */
  readonly onRead?: ReadStep | undefined;
}

/**
 * The texts of one interaction. Others get their turn while many are read.
 * @returns undefined if they have more characters together; then not all of them were read
 */
export async function readRunTexts(
  db: Kysely<Tables>,
  runs: readonly StoredRun[],
  { charactersMax = Number.POSITIVE_INFINITY, onRead }: ReadOptions = {},
): Promise<RunTexts | undefined> {
  const takeTurn = createSlices();
  const texts: RunTexts = { preprocessorRuns: [], postprocessorRuns: [], mergedLists: [] };
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  if (bytes > charactersMax * BYTES_PER_CHARACTER) return undefined;
  let charactersLeft = charactersMax;
  for (const run of runs) {
    const body = run.body ?? (await readBody(db, run));
    // deleted in the meantime
    if (body === undefined) continue;
    const text = runText(body);
    charactersLeft -= text.length;
    if (charactersLeft < 0) return undefined;
    // what was recorded, by its kind
    if (run.kind === 'preprocessor') texts.preprocessorRuns.push(text as JsonText<PreprocessorRun>);
    else if (run.kind === 'merged') texts.mergedLists.push(text as JsonText<MergedList>);
    else texts.postprocessorRuns.push(text as JsonText<PostprocessorRun>);
    await (onRead?.(text.length) ?? takeTurn());
  }
  return texts;
}

async function readBody(
  db: Kysely<Tables>,
  { interaction_id, kind, position }: StoredRun,
): Promise<RunsTable['body'] | undefined> {
  const row = await db
    .selectFrom('runs')
    .select('body')
    .where('interaction_id', '=', interaction_id)
    .where('kind', '=', kind)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.body;
}

/**
 * The JSON text of a stored run. SQLite keeps it as text, PostgreSQL as bytes, which it compresses
 * itself.
 */
export function runText(body: RunsTable['body']): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}
