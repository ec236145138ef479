import type { TextMeasure } from '@trawl/base';
import {
  type ChainStep,
  type PageFinding,
  parsedUrl,
  type RowErrorCode,
  type Warning,
  WEB_RULE_REASON,
  type WebRule,
} from '@trawl/contract';
import type { ParsedPage, ReportedUsage } from '@trawl/providers';
import type { Cost } from '../interaction/cost.ts';
import { ruleText } from '../web-rules/refusal.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import { FREE } from './cost.ts';
import type { CachedPage } from './page-cache.ts';
import type { PageFailure } from './page-failure.ts';

/** The payment to one provider for one page. */
export interface ChainCost extends Cost {
  readonly provider: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly latencyMs: number | null;
  readonly errorCode: RowErrorCode | null;
}

/** The result of a chain for one page. */
export type ChainResult = {
  readonly steps: readonly ChainStep[];
  /** Failures of the attempts, in order. */
  readonly warnings: readonly Warning[];
  readonly costs: readonly ChainCost[];
  /** Measures of the page's text; null = not measured. */
  readonly measure: TextMeasure | null;
  /** The predicted quality of the page's text, from 0 to 1; null = not predicted. */
  readonly quality: number | null;
  /** What the page hides, or says to programs. */
  readonly findings: readonly PageFinding[];
  /** The payment to the provider that answered, or that the failure is from. */
  readonly cost: Cost;
} & (
  | {
      readonly kind: 'page';
      readonly provider: string;
      readonly page: ParsedPage;
      /** From our page cache. */
      readonly isCached: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly failure: PageFailure;
      /** What its provider reports; null = nothing. */
      readonly usage: ReportedUsage | null;
      /** The page of the failure, if one was received, such as the page of a 404. */
      readonly page: ParsedPage | null;
      /** Whether a provider gave a verdict on the page itself. */
      readonly isReached: boolean;
    }
);

/** A failure without a provider's verdict. */
const ownFailure = (code: RowErrorCode, message: string, retryable: boolean): PageFailure => ({
  code,
  message,
  reason: null,
  provider: null,
  retryable,
  httpStatus: null,
  content: null,
  attempts: 0,
});

/** No provider of the chain could be asked. */
export const NO_CREDENTIAL = ownFailure(
  'missing_credential',
  'no fetch provider of the chain has a credential: set an API key in the server settings',
  false,
);

/** No call fits into the cap of the request. */
export const OVER_COST = ownFailure(
  'over_cost',
  'no provider of the chain could be asked within options.max_cost_usd: raise it',
  false,
);

const failedChain = (
  failure: PageFailure,
  isReached: boolean,
): Extract<ChainResult, { kind: 'failed' }> => ({
  kind: 'failed',
  failure,
  usage: null,
  cost: FREE,
  page: null,
  measure: null,
  quality: null,
  findings: [],
  isReached,
  steps: [],
  warnings: [],
  costs: [],
});

/** A page that is never fetched because of its address. */
export const forbidden = (): ChainResult =>
  failedChain(
    ownFailure(
      'forbidden_address',
      'the address is private or local, so it is not fetched; the operator may allow it with FETCH_ALLOW_PRIVATE_HOSTS',
      false,
    ),
    true,
  );

/** A page that is never asked for because of a web rule. */
export const ruledOut = (rule: WebRule): ChainResult =>
  failedChain(
    {
      ...ownFailure('blocked', `${ruleText('the page', rule)} (${WEB_RULE_REASON})`, false),
      reason: WEB_RULE_REASON,
      rule,
    },
    true,
  );

/** Whether no provider was asked, because of the address. */
export const isRefusedHere = (result: ChainResult): boolean =>
  result.kind === 'failed' &&
  (result.failure.code === 'forbidden_address' || result.failure.rule !== undefined) &&
  result.failure.attempts === 0;

/**
 * The result without what a web rule denies: a page of another address, as its provider reports it,
 * whose cost stays booked, and pages below it.
 * @param isOwn whether our own reader read the page, which knows where redirects ended
 */
export function underRules(result: ChainResult, rules: WebRules, isOwn: boolean): ChainResult {
  const { page } = result;
  if (!rules.hasHosts || page === null) return result;
  const address = page.finalUrl ?? (isOwn ? null : page.canonical_url);
  const rule = address === null ? null : hostRule(address, rules);
  if (rule !== null) return ledAway(result, rule);
  const subpages = page.subpages.filter(({ url }) => hostRule(url, rules) === null);
  if (subpages.length === page.subpages.length) return result;
  return { ...result, page: { ...page, subpages } } as ChainResult;
}

function hostRule(address: string, rules: WebRules): WebRule | null {
  const url = parsedUrl(address);
  return url && rules.ofHost(url.hostname);
}

function ledAway(result: ChainResult, rule: WebRule): ChainResult {
  const { steps, warnings, costs, cost } = result;
  const provider = result.kind === 'page' ? result.provider : result.failure.provider;
  const message = `${provider} reports that the page is one of another address, which the web rule ${rule} denies (${WEB_RULE_REASON}); its text was thrown away`;
  const failure = { ...ownFailure('blocked', message, false), reason: WEB_RULE_REASON, rule };
  const attempts = costs.length;
  return {
    ...failedChain({ ...failure, provider, attempts }, true),
    steps: steps.map((step) =>
      step.outcome === 'answered' ? { ...step, outcome: 'failed', code: 'blocked' } : step,
    ),
    warnings,
    costs,
    cost,
    usage: reportedOf(result),
  };
}

/** The caller left while others still wait for the same page. */
export const cancelledFetch = (): ChainResult =>
  failedChain(
    ownFailure('cancelled', 'the request was cancelled before the page came', true),
    false,
  );

export const internalFailure = (): ChainResult =>
  failedChain(
    ownFailure(
      'internal_error',
      'the page could not be fetched because of an internal error: report it with the request id',
      false,
    ),
    false,
  );

/** A page that arrived when the answer was full. Its cost is booked. */
export function droppedForSize(result: ChainResult): ChainResult {
  const { steps, warnings, costs, cost } = result;
  const failure = ownFailure(
    'too_large',
    'the pages of this request are too large for one answer: fetch this one alone, or ask for a lower tier or fewer options.inline_max_chars',
    false,
  );
  const dropped = failedChain({ ...failure, attempts: costs.length }, true);
  return { ...dropped, steps, warnings, costs, cost, usage: reportedOf(result) };
}

/** The result for a caller that does not pay: another one pays for it. */
export const shared = (result: ChainResult): ChainResult => ({ ...result, costs: [], cost: FREE });

/** What its provider reports. */
export const reportedOf = (result: ChainResult): ReportedUsage | null =>
  result.kind === 'page' ? result.page.usage : result.usage;

/** A page of our own cache. */
export function cached(hit: CachedPage, latencyMs: number): ChainResult {
  return {
    kind: 'page',
    provider: hit.provider,
    page: hit.page,
    measure: hit.measure,
    quality: hit.quality,
    findings: hit.findings,
    cost: FREE,
    isCached: true,
    steps: [{ provider: 'cache', outcome: 'answered', code: null, latency_ms: latencyMs }],
    warnings: [],
    costs: [],
  };
}
