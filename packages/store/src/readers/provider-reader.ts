import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tables } from '@trawl/database';
import type { ProviderReader, ProviderTally } from '@trawl/router';
import { type Kysely, sql } from 'kysely';
import { daySlices } from './day-slices.ts';

/**
 * Reads how providers did from the ledger, one day at a time. The database groups equal rows, down
 * to the millisecond, so quantiles are exact.
 */
export function createProviderReader(db: Kysely<Tables>): ProviderReader {
  return {
    async *tallies(projectId, span) {
      for (const day of daySlices(span)) {
        yield await readDay(db, projectId, day);
        await nextTurn();
      }
    },
  };
}

interface TallyRow extends Omit<ProviderTally, 'operation' | 'isAsked' | 'latest'> {
  /** 1 or 0, because SQLite has no booleans. */
  readonly isSearch: number;
  readonly isAsked: number;
  /** Time, session and interaction of the last row. */
  readonly latest: string;
}

async function readDay(
  db: Kysely<Tables>,
  projectId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly ProviderTally[]> {
  const { rows } = await sql<TallyRow>`
    select provider, is_search as "isSearch", is_asked as "isAsked", error_code as "errorCode",
      latency_ms as "latencyMs",
      cast(count(*) as bigint) as runs,
      cast(sum(calls) as bigint) as calls,
      cast(sum(case when cost_micros is null then calls else 0 end) as bigint) as "unpricedCalls",
      cast(coalesce(sum(cost_micros), 0) as bigint) as "costMicros",
      cast(count(result_count) as bigint) as counted,
      cast(sum(case when result_count = 0 then 1 else 0 end) as bigint) as empty,
      max(created_at || ' ' || session_id || ' ' || interaction_id) as latest
    from (
      select provider, calls, cost_micros, result_count, created_at, session_id, interaction_id,
        case when batch_index is null then 0 else 1 end as is_search,
        case when calls > 0 then 1 else 0 end as is_asked,
        case when outcome = 'succeeded' then null else coalesce(error_code, 'unknown') end as error_code,
        case when outcome = 'succeeded' then latency_ms end as latency_ms
      from ledger
      where project_id = ${projectId} and created_at >= ${from} and created_at < ${to}
        and cached_from is null
    ) as asked
    group by provider, is_search, is_asked, error_code, latency_ms`.execute(db);
  return rows.map(({ isSearch, isAsked, latest, ...row }) => {
    const [at = '', sessionId = '', interactionId = ''] = latest.split(' ');
    return {
      ...row,
      operation: isSearch === 1 ? 'search' : 'fetch',
      isAsked: isAsked === 1,
      latest: { at, sessionId, interactionId },
    };
  });
}
