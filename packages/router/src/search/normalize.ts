import { type Recorded, recorded } from '@trawl/base';
import {
  type ResultField,
  type ResultRow,
  type RowField,
  type RunCache,
  type RunError,
  SCHEMA_VERSION,
  type SearchOutput,
  type SearchRun,
  type Warning,
} from '@trawl/contract';
import {
  brokenFilter,
  type ComparableUrl,
  comparableUrl,
  cutWarnings,
  type DropReason,
  droppedWarnings,
  type FieldPlan,
  gapWarning,
  type ParsedRow,
  type ParsedSearch,
  type ReportedUsage,
  withoutRefused,
} from '@trawl/providers';
import type { UpstreamFailure } from '@trawl/upstream';
import { requestPayload } from '@trawl/upstream';
import { searchPrice } from '../billing/list-price.ts';
import { type Cost, reportedCost, usageOf } from '../interaction/cost.ts';
import type { AnswerFacts } from '../interaction/records.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import { type AnswerCounts, countsOf } from './answer-counts.ts';
import { showsDenied, withoutDenied } from './denied-parts.ts';
import type { ExecutedRun } from './execute.ts';
import type { RunPlan } from './plan.ts';

export interface NormalizedRun {
  /** What is answered is what is stored. */
  readonly run: Recorded<SearchRun>;
  readonly cost: Cost;
  /** Its rows, for postprocessors; empty when it failed, or was served and nothing reads them. */
  readonly rows: readonly RowFacts[];
  /** null = it failed. */
  readonly resultCount: number | null;
  /** Absent = the provider was asked for this run. */
  readonly served?: Served | undefined;
  /** What is counted of the answer, for the health of its provider; absent = it failed. */
  readonly counts?: AnswerCounts | undefined;
  /** What is kept so that it may answer others; absent = it never does. */
  readonly answer?: AnswerFacts | undefined;
}

/** The answer that was served instead of a call. */
export interface Served {
  /** Its interaction. */
  readonly from: string;
  /** What it had cost, in millionths of a US dollar; null = not known. */
  readonly savedMicros: number | null;
}

/** What merged lists and postprocessors read of a row. */
export type RowFacts = Pick<
  UsableRow,
  'url' | 'domain' | 'title' | 'summary' | 'excerpt' | 'publish_date' | 'author'
>;

/** A row with a comparable URL. */
export interface UsableRow extends ParsedRow {
  readonly url: string;
  readonly domain: string;
}

/** Written out, so that all rows have one shape: spreading costs three times as much. */
function usableRow(row: ParsedRow, { url, domain }: ComparableUrl): UsableRow {
  return {
    url,
    domain,
    title: row.title,
    summary: row.summary,
    excerpt: row.excerpt,
    full_content: row.full_content,
    publish_date: row.publish_date,
    sent_date: row.sent_date,
    thumbnail: row.thumbnail,
    favicon: row.favicon,
    author: row.author,
    fetch_meta: row.fetch_meta,
    enrichments: row.enrichments,
    cut: row.cut,
  };
}

type SucceededResult = Extract<ExecutedRun['result'], { status: 'succeeded' }>;
type FailedResult = Extract<ExecutedRun['result'], { status: 'failed' }>;

interface NormalizeOptions {
  readonly id: string;
  readonly includeRaw: boolean;
  readonly cache?: RunCache | undefined;
  /** Which rows may be shown; absent = all. */
  readonly rules?: WebRules | undefined;
  /** What to say of its cost. */
  readonly remarksOnCost?: ((cost: Cost) => readonly Warning[]) | undefined;
}

export const RAW_LEFT_OUT: Warning = {
  code: 'upstream_warning',
  message: 'raw_payload: left out, since it has parts that a web rule dropped',
};

export function normalizeRun(
  executed: ExecutedRun,
  fields: FieldPlan,
  options: NormalizeOptions,
): NormalizedRun {
  const { plan, result } = executed;
  const { declaration, target } = plan.provider;
  const { rules, includeRaw } = options;
  const isDenied =
    includeRaw && result.raw !== null && rules !== undefined && showsDenied(result.raw, rules);
  const ending =
    result.status === 'succeeded'
      ? succeeded(result, plan, fields, { ...options, isDenied })
      : failed(result, plan, isDenied);
  const run = recorded<SearchRun>({
    id: options.id,
    preprocessor_name: declaration.slug,
    status: result.status,
    batch_index: plan.batchIndex,
    query: plan.query,
    request_payload: requestPayload({ ...target, baseUrl: result.baseUrl }, plan.call),
    output_payload: ending.output,
    raw_payload: includeRaw && !ending.isCensored ? result.raw : null,
    error: ending.error,
    latency_ms: options.cache?.state === 'joined' ? null : result.latencyMs,
    cache: options.cache,
  });
  const resultCount = ending.error === null ? ending.rows.length : null;
  return { run, cost: ending.cost, rows: ending.rows, resultCount, counts: ending.counts };
}

/** The parts of a run that depend on how it ended. */
interface Ending {
  readonly output: SearchOutput | null;
  readonly error: RunError | null;
  readonly cost: Cost;
  readonly rows: readonly UsableRow[];
  /** Whether the answer as it came has what a web rule dropped or denies. */
  readonly isCensored: boolean;
  readonly counts?: AnswerCounts;
}

function failed(
  { failure, calls, keyTail }: FailedResult,
  plan: RunPlan,
  isCensored: boolean,
): Ending {
  const error = runError(failure, plan);
  return {
    output: null,
    error: isCensored ? { ...error, warnings: [...error.warnings, RAW_LEFT_OUT] } : error,
    // the cost of a failed call is not known; a call that was never sent costs nothing
    cost: { calls, keyTail, costUsd: calls === 0 ? 0 : null, source: null },
    rows: [],
    isCensored,
  };
}

function succeeded(
  result: SucceededResult,
  plan: RunPlan,
  fields: FieldPlan,
  {
    rules,
    includeRaw,
    isDenied,
    remarksOnCost = () => [],
  }: NormalizeOptions & { isDenied: boolean },
): Ending {
  const { calls, keyTail, value } = result;
  const { isFree } = value;
  const { parsed, dropped } = withoutDenied(value.parsed, rules);
  const cost: Cost = isFree
    ? { calls, keyTail, costUsd: 0, source: 'price_list' }
    : { calls, keyTail, ...successCost(parsed.usage, plan) };
  const { rows, warnings, haveAddresses } = usableRows(parsed.rows, plan, dropped);
  const isCensored = isDenied || dropped.size > 0;
  const onRaw = includeRaw && isCensored ? [RAW_LEFT_OUT] : [];
  const output = envelope({
    parsed,
    rows,
    rowWarnings: [...warnings, ...onRaw, ...remarksOnCost(cost)],
    cost,
    plan,
    fields,
    latencyMs: result.latencyMs ?? 0,
  });
  const counts = countsOf(value.parsed.rows, plan, fields, haveAddresses);
  return { output, error: null, cost, rows, isCensored, counts };
}

function runError(failure: UpstreamFailure, plan: RunPlan): RunError {
  return {
    code: failure.code,
    message: failure.message,
    provider: plan.provider.declaration.slug,
    http_status: failure.httpStatus,
    retryable: failure.retryable,
    retry_after_ms: failure.retryAfterMs,
    warnings: [...plan.warnings],
  };
}

/**
 * Drops rows without a usable URL, those of an earlier row's URL and those that break a filter,
 * then cuts the list: rank counts the remaining rows.
 */
function usableRows(
  rows: readonly ParsedRow[],
  { provider, rowsMax, filters }: RunPlan,
  denied: ReadonlyMap<DropReason, number>,
) {
  const { slug } = provider.declaration;
  const usable: UsableRow[] = [];
  const seen = new Set<string>();
  const dropped = new Map(denied);
  const dropReason = (row: ParsedRow, { url, domain }: ComparableUrl): DropReason | undefined => {
    if (seen.has(url)) return 'repeated';
    const date = row.sent_date ?? row.publish_date;
    return filters && brokenFilter({ domain, date }, filters);
  };
  for (const row of rows) {
    const comparable = row.url === null ? null : comparableUrl(row.url);
    const reason = comparable === null ? 'unusable' : dropReason(row, comparable);
    if (reason !== undefined) dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
    else if (comparable !== null) {
      seen.add(comparable.url);
      usable.push(usableRow(row, comparable));
    }
  }
  return {
    rows: usable.slice(0, rowsMax),
    warnings: droppedWarnings(slug, dropped),
    haveAddresses: !dropped.has('unusable'),
  };
}

/** What a succeeded run is made of. */
interface OutputParts {
  readonly parsed: ParsedSearch;
  readonly rows: readonly UsableRow[];
  /** What was left out of the rows, and what is to be said of the cost. */
  readonly rowWarnings: readonly Warning[];
  readonly cost: Cost;
  readonly plan: RunPlan;
  readonly fields: FieldPlan;
  readonly latencyMs: number;
}

function envelope(parts: OutputParts): SearchOutput {
  const { parsed, rows, rowWarnings, cost, plan, fields, latencyMs } = parts;
  const { slug } = plan.provider.declaration;
  const { missing } = plan;
  const applied = plan.filters && withoutRefused(plan.filters, slug, parsed.ignoredFilters);
  const has = (field: ResultField) => fields.all.has(field);
  const filled = <Value>(field: ResultField, value: Value): Value | null =>
    missing.has(field) ? null : value;
  const listed = <Value>(field: ResultField, value: readonly Value[]): Value[] =>
    missing.has(field) ? [] : [...value];
  const warnings: Warning[] = [...plan.warnings, ...(applied?.warnings ?? [])];
  if (has('usage') && parsed.usage === null && !missing.has('usage')) {
    warnings.push(gapWarning('usage', slug, 'did not report cost or units for this call'));
  }
  warnings.push(...parsed.remarks, ...rowWarnings, ...cutWarnings(slug, rows, fields.all));
  const shown = shownFields(fields.row, missing);
  // JSON leaves out what is undefined; spreading what may be absent costs several times as much
  return {
    schema_version: SCHEMA_VERSION,
    tier: fields.tier,
    fields: [...fields.row, ...fields.envelope],
    filters: applied?.filters.methods,
    results: rows.map((row, index) => resultRow(row, index + 1, shown)),
    usage: has('usage') ? filled('usage', usageOf(parsed.usage, cost)) : undefined,
    answer: has('answer') ? filled('answer', parsed.answer) : undefined,
    entities: has('entities') ? listed('entities', parsed.entities) : undefined,
    related: has('related') ? listed('related', parsed.related) : undefined,
    verticals: has('verticals') ? filled('verticals', parsed.verticals) : undefined,
    latency_ms: latencyMs,
    warnings,
  };
}

/**
 * By field: true = its value is shown, null = the provider does not supply it, undefined = it is
 * not asked for.
 */
type ShownFields = Readonly<Record<RowField, true | null | undefined>>;

function shownFields(active: readonly RowField[], missing: ReadonlySet<ResultField>): ShownFields {
  const shown: Partial<Record<RowField, true | null>> = {};
  for (const field of active) shown[field] = missing.has(field) ? null : true;
  return shown as ShownFields;
}

/** Written out, so that all rows have one shape. JSON leaves out what is undefined. */
function resultRow(row: UsableRow, rank: number, shown: ShownFields): ResultRow {
  const { domain, author } = row;
  const result: { readonly [Field in RowField]: ResultRow[Field] | null | undefined } = {
    url: shown.url && row.url,
    title: shown.title && row.title,
    rank: shown.rank && rank,
    summary: shown.summary && row.summary,
    excerpt: shown.excerpt && row.excerpt,
    full_content: shown.full_content && row.full_content,
    publish_date: shown.publish_date && row.publish_date,
    thumbnail: shown.thumbnail && row.thumbnail,
    favicon: shown.favicon && row.favicon,
    source: shown.source && { domain, author },
    enrichments: shown.enrichments && row.enrichments,
    fetch_meta: shown.fetch_meta && row.fetch_meta,
  };
  // fields that a provider may lack are nullable in the contract
  return result as ResultRow;
}

/** The cost that the provider reports, else that of the price list. */
function successCost(usage: ReportedUsage | null, plan: RunPlan): Pick<Cost, 'costUsd' | 'source'> {
  const reported = reportedCost(usage?.costUsd);
  if (reported !== null) return { costUsd: reported, source: 'reported' };
  const price = searchPrice(plan.provider, plan.search, usage);
  return { costUsd: price?.usd ?? null, source: price && 'price_list' };
}
