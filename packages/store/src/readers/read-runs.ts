import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { decodeRunText } from '../recorder/run-text.ts';

/** The JSON texts of an interaction's runs, each kind in its order. */
export interface RunTexts {
  readonly preprocessorRuns: readonly string[];
  readonly postprocessorRuns: readonly string[];
}

/** By interaction id; one that has no runs is left out. */
export async function readRuns(
  db: Kysely<Tables>,
  interactionIds: readonly string[],
): Promise<ReadonlyMap<string, RunTexts>> {
  if (interactionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('runs')
    .select(['interaction_id', 'kind', 'encoding', 'body'])
    .where('interaction_id', 'in', interactionIds)
    .orderBy('interaction_id')
    .orderBy('kind')
    .orderBy('position')
    .execute();
  const found = new Map<string, { preprocessorRuns: string[]; postprocessorRuns: string[] }>();
  for (const row of rows) {
    const texts = found.get(row.interaction_id) ?? { preprocessorRuns: [], postprocessorRuns: [] };
    found.set(row.interaction_id, texts);
    const list = row.kind === 'preprocessor' ? texts.preprocessorRuns : texts.postprocessorRuns;
    list.push(decodeRunText(row));
  }
  return found;
}
