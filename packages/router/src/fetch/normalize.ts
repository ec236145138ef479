import { cutCodePoints, measureText, type TextMeasure } from '@trawl/base';
import {
  CONSTANT_FETCH_FIELDS,
  type FetchPassage,
  type FetchRow,
  WEB_RULE_REASON,
} from '@trawl/contract';
import { EMPTY_PAGE, type ParsedPage, withoutInvisible } from '@trawl/providers';
import type { Deployment } from '../deployment/deployment.ts';
import { usageOf } from '../interaction/cost.ts';
import { type ChainResult, reportedOf } from './chain-result.ts';
import type { PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import { warningsOf, warningText } from './row-warnings.ts';

/** One URL and its result. */
export interface FetchedPage {
  readonly target: PageTarget;
  readonly result: ChainResult;
  /** Wall time of its chain. */
  readonly latencyMs: number;
  /** A title recorded for this page before; null when unknown, or if the page has its own. */
  readonly knownTitle: string | null;
  /** The passages that the caller wants; null = none are wanted, or they could not be found. */
  readonly passages: readonly FetchPassage[] | null;
}

/** A value for every field of a row, whatever the tier. */
type RowValues = { readonly [Field in keyof FetchRow]-?: Readonly<FetchRow[Field]> };

/** The row of one URL: the same keys whether it succeeded or failed. */
export function fetchRow(
  fetched: FetchedPage,
  options: PageOptions,
  deployment: Deployment,
): FetchRow {
  const { target, result, latencyMs } = fetched;
  const failure = result.kind === 'failed' ? result.failure : null;
  const page = withPassages(result.page ?? EMPTY_PAGE, fetched, options);
  // a text that came with a failure is not the text of the page
  const text =
    page.content === null
      ? measured(failure?.content ?? null, null, options)
      : measured(page.content, result.measure, options);
  const warnings = warningsOf(fetched, options, deployment, text);
  const own = {
    url: target.url,
    status: failure ? 'failed' : 'succeeded',
    error: failure && {
      code: failure.code,
      message: failure.message,
      provider: failure.provider,
      retryable: failure.retryable,
      attempts: failure.attempts,
      ...(failure.rule && { reason: WEB_RULE_REASON, rule: failure.rule }),
    },
    content: text?.shown ?? null,
    content_format: text && page.content_format,
    content_length: text?.length ?? null,
    content_sha256: text?.sha256 ?? null,
    title: page.title ?? fetched.knownTitle,
    http_status: failure ? failure.httpStatus : page.http_status,
    cache_state: result.kind === 'page' && result.isCached ? 'hit' : page.cache_state,
    usage: usageOf(usedOf(result), result.cost),
    provider: result.kind === 'page' ? result.provider : result.failure.provider,
    provider_chain: result.steps,
    quality: result.kind === 'page' ? result.quality : null,
    passages: fetched.passages ?? [],
    findings: [...result.findings],
    latency_ms: latencyMs,
    warning: warningText(warnings),
    warnings,
    truncated: failure === null && (text?.isCut ?? false),
  } satisfies Partial<RowValues>;
  // two objects, since copying the many fields of a page into one costs more than the rest of its
  // row
  const others: Omit<RowValues, keyof typeof own> = page;
  const isOwn = (field: string): field is keyof typeof own => Object.hasOwn(own, field);
  const fieldOf = (field: keyof FetchRow) => (isOwn(field) ? own[field] : others[field]);
  const row: Partial<Record<keyof FetchRow, RowValues[keyof FetchRow]>> = {};
  for (const field of CONSTANT_FETCH_FIELDS) row[field] = fieldOf(field);
  for (const field of options.fields) row[field] = fieldOf(field);
  if (!options.inlineContent) delete row.content;
  // every constant field is set, and the fields of the tier are optional
  return row as FetchRow;
}

/**
 * The page whose chunks and excerpt are the passages that the caller wants. Those of its provider
 * stay where passages could not be found.
 */
function withPassages(
  page: ParsedPage,
  { passages }: FetchedPage,
  { fields }: PageOptions,
): ParsedPage {
  if (!fields.has('passages') || passages === null) return page;
  const chunks = passages.map(({ text }) => text);
  return { ...page, chunks, excerpt: chunks.length > 0 ? chunks.join('\n\n') : null };
}

/** A page from our cache, or one that another caller pays, did not use its provider. */
function usedOf(result: ChainResult) {
  const reported = reportedOf(result);
  return reported && result.cost.calls === 0 ? { units: {}, costUsd: 0 } : reported;
}

/** A page's text as it is shown, measured over the whole of it. */
export interface MeasuredText extends TextMeasure {
  readonly shown: string;
  readonly isCut: boolean;
}

/** The whole text of a page. What was measured was read, so nothing in it is invisible any more. */
export const wholeText = (content: string, measure: TextMeasure | null): string =>
  (measure ? content : withoutInvisible(content)).toWellFormed();

function measured(
  content: ParsedPage['content'],
  measure: TextMeasure | null,
  options: PageOptions,
): MeasuredText | null {
  if (content === null) return null;
  const whole = wholeText(content, measure);
  const shown = cutCodePoints(whole, options.inlineMaxCharacters);
  const { length, sha256 } = measure ?? measureText(whole);
  const isCut = options.inlineContent && shown.length < whole.length;
  return { length, sha256, shown, isCut };
}
