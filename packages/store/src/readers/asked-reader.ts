import { setImmediate as nextTurn } from 'node:timers/promises';
import { readJson } from '@trawl/base';
import { isJsonObject } from '@trawl/contract';
import type { InteractionsTable, OpenDatabase } from '@trawl/database';
import type { Selectable } from 'kysely';
import { daySlices } from './day-slices.ts';
import type { AskedQuery, TimeSpan } from './run-records.ts';

/** Interactions in memory at once. */
const PAGE = 200;

/** The queries that these keys searched for, oldest first. What was deleted is not among them. */
export async function* readAskedQueries(
  { db }: OpenDatabase,
  keyIds: readonly string[],
  span: TimeSpan,
): AsyncGenerator<readonly AskedQuery[]> {
  if (keyIds.length === 0) return;
  for (const { from, to } of daySlices(span)) {
    const found = await db
      .selectFrom('ledger')
      .select(['interaction_id', (eb) => eb.fn.min('created_at').as('at')])
      .where('key_id', 'in', keyIds)
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .where('batch_index', 'is not', null)
      .groupBy('interaction_id')
      .orderBy('at')
      .orderBy('interaction_id')
      .execute();
    const ids = found.map(({ interaction_id }) => interaction_id);
    for (let start = 0; start < ids.length; start += PAGE) {
      const page = ids.slice(start, start + PAGE);
      const rows = await db
        .selectFrom('interactions')
        .select(['id', 'user_input', 'request', 'routing', 'metadata'])
        .where('id', 'in', page)
        .execute();
      // in the order of the ids
      yield page.flatMap((id) => queriesOf(rows.find((row) => row.id === id)));
      await nextTurn();
    }
  }
}

type Row = Pick<Selectable<InteractionsTable>, 'user_input' | 'request' | 'routing' | 'metadata'>;

function queriesOf(row: Row | undefined): readonly AskedQuery[] {
  const input = row?.user_input ? readJson(row.user_input) : null;
  // what an evaluation asked would measure itself
  if (row === undefined || input === null || 'evaluation' in readJson(row.metadata)) return [];
  const topics = row.routing === null ? [] : readJson(row.routing);
  const request = row.request === null ? null : readJson(row.request);
  const filters = (request !== null && 'search' in request && request.search.filters) || null;
  const inputs: readonly unknown[] = Array.isArray(input.queries) ? input.queries : [input];
  return inputs.flatMap((one, index): AskedQuery[] => {
    const query = isJsonObject(one) ? one.query : undefined;
    if (typeof query !== 'string') return [];
    return [{ query, topic: topics[index]?.topic ?? null, filters }];
  });
}
