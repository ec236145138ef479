import type { JsonText } from '@trawl/base';
import type { PostprocessorRun, PreprocessorRun } from '@trawl/contract';
import type { Tables } from '@trawl/database';
import type { Kysely } from 'kysely';
import { decodeRunText } from '../recorder/run-text.ts';

/** The JSON texts of an interaction's runs, by kind and in order. */
export interface RunTexts {
  readonly preprocessorRuns: JsonText<PreprocessorRun>[];
  readonly postprocessorRuns: JsonText<PostprocessorRun>[];
}

/** By interaction id; an interaction without runs is left out. */
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
  const found = new Map<string, RunTexts>();
  for (const row of rows) {
    const runs = found.get(row.interaction_id) ?? { preprocessorRuns: [], postprocessorRuns: [] };
    found.set(row.interaction_id, runs);
    const text = decodeRunText(row);
    // what was recorded, by its kind
    if (row.kind === 'preprocessor') runs.preprocessorRuns.push(text as JsonText<PreprocessorRun>);
    else runs.postprocessorRuns.push(text as JsonText<PostprocessorRun>);
  }
  return found;
}
