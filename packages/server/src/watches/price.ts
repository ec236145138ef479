import type { DryRun, WatchDryRun, WatchedRequest } from '@trawl/contract';
import { invalidAt, RequestError } from '@trawl/router';
import { echoedInput, valueAt } from '../http/answer/validation-issues.ts';
import type { Handlers, RequestContext } from '../http/handler.ts';
import { freshPages } from './run-watch.ts';

/** They check what a watch asks for. */
export type Asking = Pick<Handlers, 'search' | 'fetch'>;

/**
 * What one run would call and cost. Nothing is sent, recorded or billed.
 * @throws RequestError as the run would be refused
 */
export async function priceOf(
  request: WatchedRequest,
  context: RequestContext,
  { search, fetch }: Asking,
): Promise<DryRun> {
  const others = { query: { dry_run: true }, params: undefined };
  const asWatch = { ...context, isWatch: true };
  const own = { session_id: undefined };
  const reply =
    'search' in request
      ? await search({ body: { ...request.search, ...own }, ...others }, asWatch)
      : await fetch({ body: { ...freshPages(request.fetch), ...own }, ...others }, asWatch);
  if (!('text' in reply)) throw new Error('a dry run was answered in events');
  return JSON.parse([reply.text].flat().join('')) as DryRun;
}

/** The same, with what a day of runs costs. */
export function dailyPrice(price: DryRun, intervalMinutes: number): WatchDryRun {
  const perDay = (24 * 60) / intervalMinutes;
  const usd = price.total_usd;
  return {
    ...price,
    runs_per_day: rounded(perDay),
    usd_per_day: usd === null ? null : rounded(usd * perDay),
  };
}

const rounded = (value: number): number => Number(value.toFixed(6));

/** The same, with refusals whose places are those in the body of the watch. */
export async function placed<Value>(
  request: WatchedRequest,
  check: () => Promise<Value>,
): Promise<Value> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof RequestError ? withPlace(error, request) : error;
  }
}

function withPlace(error: RequestError, request: WatchedRequest): RequestError {
  const member = 'search' in request ? 'search' : 'fetch';
  const { status, detail, headers, hint, typed } = error;
  const options = { headers, hint, cause: error };
  if (typeof detail !== 'string') {
    const issues = detail.map((issue) => ({
      ...issue,
      loc: issue.loc[0] === 'body' ? ['body', member, ...issue.loc.slice(1)] : issue.loc,
    }));
    return new RequestError(status, issues, options);
  }
  const param = typed?.param;
  const [, fault = detail] = param === undefined ? [] : detail.split(`${param}: `);
  if (status === 422) {
    // `urls[0]` is the first of `urls`
    const steps = (param ?? '').split(/[.[\]]+/).filter((step) => step !== '');
    const loc = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const path = [member, ...loc];
    return invalidAt(['body', ...path], fault, echoedInput(valueAt(request, path)));
  }
  const text = STARTS_WITH_PLACE.test(detail) ? `${member}.${detail}` : detail;
  return new RequestError(status, text, { ...options, ...(typed && { typed }) });
}

/** `options.providers: unknown provider …` */
const STARTS_WITH_PLACE = /^[a-z_][a-z_.[\]\d]*: /;
