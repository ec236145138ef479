import { callerIdOf } from '@trawl/base';
import { isJsonObject, type Warning } from '@trawl/contract';
import type { ParsedSearch } from '@trawl/providers';
import type { UpstreamResult, UpstreamRunner } from '@trawl/upstream';
import type { Call } from '../interaction/head.ts';
import { endOf } from '../interaction/observe.ts';
import { planWithout, type RunPlan } from './plan.ts';

/** What a provider answered. */
export interface SearchReading {
  readonly parsed: ParsedSearch;
  /** The answer came with a failing status, which is never charged. */
  readonly isFree: boolean;
}

export interface ExecutedRun {
  /** The plan as executed. */
  readonly plan: RunPlan;
  readonly result: UpstreamResult<SearchReading>;
}

/**
 * An error without rows is a failure with status 200, not an empty answer. With rows the error is
 * ignored.
 */
function namesError(json: unknown): boolean {
  if (!isJsonObject(json)) return false;
  return [json.error, json.errors, json.detail].some(
    (value) =>
      (typeof value === 'string' && value.trim() !== '') ||
      (typeof value === 'object' && value !== null && Object.keys(value).length > 0),
  );
}

/** More rows than any provider is asked for; reading 100,000 keeps this thread for a second. */
const ITEMS_MAX = 1_000;

/** The length of the first list that is too long to be read whole; undefined = absent. */
export function longListIn(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    if (value.length > ITEMS_MAX) return value.length;
    // an iterator for each list of an answer is garbage for each search
    for (let index = 0; index < value.length; index += 1) {
      const length = longListIn(value[index]);
      if (length !== undefined) return length;
    }
    return undefined;
  }
  // so is a copy by `Object.values`
  for (const key in value) {
    const length = longListIn((value as Readonly<Record<string, unknown>>)[key]);
    if (length !== undefined) return length;
  }
  return undefined;
}

/** The beginning of each list, so that an answer takes no longer to read than a usual one. */
export function withShortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(withShortLists);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withShortLists(inner)]),
  );
}

const cutRemark = (slug: string, length: number): Warning => ({
  code: 'upstream_warning',
  message: `results: ${slug} sent a list of ${length} items, of which only the first were read`,
});

const withRemark = (parsed: ParsedSearch, remark: Warning): ParsedSearch => ({
  ...parsed,
  remarks: [...parsed.remarks, remark],
});

/**
 * Asks one provider. Never throws: a failure is that run's result.
 * @param isProbe one call that is sent even while the circuit is open
 */
export async function executeRun(
  plan: RunPlan,
  runner: UpstreamRunner,
  call: Call,
  isProbe = false,
): Promise<ExecutedRun> {
  const { signal, deadlineAt, observer } = call;
  const { declaration, target, hasOwnTimeLimit } = plan.provider;
  const { readText } = declaration;
  const { wanted } = plan.search;
  const read = (json: unknown, now: number, isFree = false): SearchReading | undefined => {
    const length = longListIn(json);
    const answer = declaration.response.safeParse(
      length === undefined ? json : withShortLists(json),
    );
    if (!answer.success) return undefined;
    const whole = declaration.parse(answer.data, { ...plan.search, now });
    const parsed =
      length === undefined ? whole : withRemark(whole, cutRemark(declaration.slug, length));
    const isError = parsed.rows.length === 0 && !declaration.emptyNamesError && namesError(json);
    const isFreeEmpty = declaration.isEmptyFree === true && parsed.rows.length === 0;
    return isError ? undefined : { parsed, isFree: isFree || isFreeEmpty };
  };
  const ended = observer?.called({
    provider: declaration.slug,
    operation: 'search',
    rows: plan.search.count,
    tier: wanted.tier,
  });
  const slowMs = hasOwnTimeLimit ? null : declaration.slowTimeoutMs?.(wanted);
  const result = await runner.run({
    // with the time that a slow mode of its provider needs, unless the operator limits it
    target: slowMs == null ? target : { ...target, timeoutMs: slowMs },
    callerId: callerIdOf(call),
    call: plan.call,
    read,
    readText: readText && ((text, now) => read(readText(text), now)),
    isEmpty: ({ parsed }) => parsed.rows.length === 0,
    readFailedAnswer: (failed, now) => {
      const body = declaration.readFailedAnswer?.(failed);
      return body === undefined ? undefined : read(body, now, true);
    },
    signal,
    deadlineAt,
    // a part that the caller set itself is sent or refused, never left out
    optionalParts: declaration.optionalParts?.filter(
      ({ name, filter }) =>
        !Object.hasOwn(wanted.overrides, name) && !(filter && plan.filters?.strict),
    ),
    retry: !isProbe && !plan.isSentOnce,
    evenIfOpen: isProbe,
    overridden: plan.isOverridden,
  });
  ended?.(endOf(result));
  return { plan: result.leftOut.length > 0 ? planWithout(plan, result.leftOut) : plan, result };
}
