import { type Clock, DAY_MS, isoTime, jsonText, LAST_SORTED_TIME } from '@trawl/base';
import { csvText, LIMITS, USAGE_GROUPS, type UsageGroup } from '@trawl/contract';
import {
  invalidAt,
  type LedgerOwner,
  MICROS,
  type RequestError,
  readStore,
  type UsageReader,
  type UsageRow,
  usdOf,
} from '@trawl/router';
import type { Handlers, RequestContext } from '../http/handler.ts';
import { callerOf } from './caller.ts';

/**
 * GET /v1/usage: the ledger in sums. A key sees its own calls; one that may manage the project sees
 * all of its keys'.
 */
export function usageRoutes(usage: UsageReader, clock: Clock): Pick<Handlers, 'usage'> {
  return {
    usage: async ({ query }, context) => {
      const now = clock.now();
      const { from, to } = timeSpan(query, now);
      const groups = query.group_by ?? DEFAULT_GROUPS;
      const wanted = {
        from: isoTime(from),
        to: isoTime(to),
        groups: USAGE_GROUPS.filter((group) => groups.includes(group)),
        // one more than is shown, which shows that there are more
        limit: LIMITS.usageRows + 1,
      };
      const owner = ownerOf(context);
      const read = { ...wanted, to: isoTime(endOfReading(to, now)) };
      const rows = await readStore(() => usage.usage(owner, read));
      if (rows.length > LIMITS.usageRows) {
        const problem = `more than ${LIMITS.usageRows} rows; ask for a shorter time, or group by less`;
        throw refusal('group_by', problem, query.group_by ?? null);
      }
      if (query.format === 'csv') return { plain: tableOf(wanted.groups, rows), headers: CSV };
      const { from: begin, to: end } = wanted;
      return { text: jsonText({ from: begin, to: end, rows: rows.map(reportRow) }) };
    },
  };
}

const CSV = { 'content-type': 'text/csv; charset=utf-8' };

/** The rows of a report as CSV. */
function tableOf(groups: readonly UsageGroup[], rows: readonly UsageRow[]): string {
  return csvText(
    [...groups, 'calls', 'unpriced_calls', 'cost_usd'],
    rows.map(({ group, calls, unpricedCalls, costMicros }) => [
      ...groups.map((name) => group[name] ?? null),
      ...[calls, unpricedCalls, usdOf(costMicros)],
    ]),
  );
}

const DEFAULT_GROUPS: readonly UsageGroup[] = ['day', 'provider'];

function ownerOf(context: RequestContext): LedgerOwner {
  const { keyId, projectId } = callerOf(context);
  // the console's key acts for members of the project
  const seesProject = context.caller?.permissions.includes('manage') || context.caller?.isHidden;
  return seesProject ? { kind: 'project', id: projectId } : { kind: 'key', id: keyId };
}

interface TimeSpan {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

function timeSpan(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): TimeSpan {
  const to = query.to === undefined ? now : endOf(query.to);
  const from =
    query.from === undefined ? to - LIMITS.usageDaysDefault * DAY_MS : Date.parse(query.from);
  if (from >= to) throw refusal('from', 'from must be before to', query.from ?? null);
  if (to - from > LIMITS.usageDays * DAY_MS) {
    throw refusal('from', `at most ${LIMITS.usageDays} days at once`, query.from ?? null);
  }
  return { from, to };
}

/** A date means its whole day. */
const endOf = (text: string): number =>
  Math.min(LAST_SORTED_TIME, Date.parse(text) + (text.includes('T') ? 0 : DAY_MS));

/**
 * Nothing is booked for later than now, so what ends now is read to the end of its day: whole days
 * are kept in sums, and part of a day is read row by row.
 */
const endOfReading = (to: number, now: number): number =>
  to < now ? to : Math.min(LAST_SORTED_TIME, Math.ceil(to / DAY_MS) * DAY_MS);

const refusal = (name: string, problem: string, input: unknown): RequestError =>
  invalidAt(['query', name], problem, input);

function reportRow({ group, calls, unpricedCalls, costMicros, ...served }: UsageRow) {
  return {
    ...(group as Partial<Record<UsageGroup, string>>),
    calls,
    unpriced_calls: unpricedCalls,
    cost_usd: usdOf(costMicros),
    cached_calls: served.cachedCalls,
    saved_usd: served.savedMicros / MICROS,
  };
}
