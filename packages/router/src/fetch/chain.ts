import type { ChainStep, RowErrorCode } from '@trawl/contract';
import type { FetchFacts, FetchPlan } from '@trawl/providers';
import type { ConfiguredFetchProvider } from '../deployment/deployment.ts';
import type { RequestWatch } from '../interaction/watch.ts';
import type { AllowedDomains } from '../keys/allowed-domains.ts';
import {
  type Attempt,
  type AttemptDependencies,
  type AttemptLimits,
  attemptPage,
} from './attempt.ts';
import { type ChainCost, type ChainResult, NO_CREDENTIAL } from './chain-result.ts';
import { accepts, type PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import {
  beatsLater,
  isPoorPage,
  LOW_QUALITY,
  lowQualityStep,
  type PageAttempt,
} from './low-quality.ts';
import { attemptWarning, failureOf, type PageFailure } from './page-failure.ts';

export interface ChainLimits {
  /** The id of the API key that asks first. */
  readonly callerId: string;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly deadlineAt: number;
  /** Time limit of an attempt that others follow, and of its wait for a slot. */
  readonly attemptTimeoutMs: number;
  /** The only hosts whose pages the key may fetch; null = all. */
  readonly allowedDomains: AllowedDomains;
  /** One call that is sent even while the circuit is open. */
  readonly isProbe?: boolean;
  /** Follows the request that asks first. */
  readonly watch?: RequestWatch | undefined;
}

/** A vendor with a time parameter gets this much less time than we wait. */
const VENDOR_MARGIN_MS = 2_000;

/** One attempt, with the diagnosis of its page. */
interface Judged {
  readonly attempt: Attempt;
  /** null = it is a page. */
  readonly failure: PageFailure | null;
  /** Whether the failure is a verdict on the page. */
  readonly isVerdict: boolean;
  /** Whether the target itself answered that the page does not exist. */
  readonly isGone: boolean;
  /** Whether the provider only accepts this kind of page, so its verdict counts more than others. */
  readonly isSpecialist: boolean;
}

/** A page, its providers, and the options. */
export interface WantedPage {
  readonly target: PageTarget;
  /** In the order in which they are asked. */
  readonly chain: readonly ConfiguredFetchProvider[];
  readonly options: PageOptions;
}

/**
 * Asks the providers of a chain in turn until one has the page. Where the target answered one that the page does not exist,
 * only one more is asked: sites answer bots with a 404 too. A page of our own reader that is probably not good is kept while
 * later ones are asked. Never throws.
 */
export async function walkChain(
  { target, chain, options }: WantedPage,
  limits: ChainLimits,
  dependencies: AttemptDependencies,
): Promise<ChainResult> {
  const isPinned = options.pinned !== null;
  const steps: ChainStep[] = [];
  const judged: Judged[] = [];
  let poor: { readonly attempt: PageAttempt; readonly at: number } | undefined;
  let isGone = false;
  for (const [index, provider] of chain.entries()) {
    const { slug } = provider.declaration;
    if (!accepts(provider, target.parsed)) {
      steps.push({ provider: slug, outcome: 'declined', code: 'declined', latency_ms: null });
      continue;
    }
    if (!provider.isConfigured && !isPinned) {
      steps.push(skipped(slug, 'missing_credential'));
      continue;
    }
    if (judged.length > 0 && isOver(limits, dependencies)) break;
    const isLast = !chain.slice(index + 1).some((next) => mayFollow(next, target, isPinned));
    // a page at hand does not wait for the last provider's whole time
    const mayWait = isLast && poor === undefined;
    const attemptLimits: AttemptLimits = {
      timeoutMs: attemptTimeMs(provider, mayWait, limits),
      waitMs: mayWait ? undefined : limits.attemptTimeoutMs,
      retry: isPinned && chain.length === 1 && !limits.isProbe,
      evenIfOpen: limits.isProbe,
      // for its row, or to compare it with the page at hand
      wantsQuality: options.fields.has('quality') || poor !== undefined,
      ...limits,
    };
    const leftMs = limits.deadlineAt - dependencies.clock.now();
    const plan = {
      onlyHosts: limits.allowedDomains,
      ...planFor(provider, target, options, Math.min(attemptLimits.timeoutMs, leftMs)),
    };
    const attempt = await attemptPage(provider, plan, attemptLimits, dependencies);
    const last = judge(attempt, provider.declaration.accepts !== undefined);
    judged.push(last);
    if (attempt.kind === 'page' && last.failure === null) {
      const isPoor = !isLast && !isGone && isPoorPage(provider, attempt);
      const isLeft = isPoor || (poor !== undefined && beatsLater(poor.attempt, attempt));
      limits.watch?.judged(slug, isLeft ? LOW_QUALITY : 'page');
      if (isPoor) poor = { attempt, at: steps.length };
      steps.push(isLeft ? lowQualityStep(attempt, 'failed') : stepOf(last));
      if (isPoor) continue;
      if (isLeft) break;
      return gotPage(attempt, attemptFacts(steps, judged));
    }
    steps.push(stepOf(last));
    if (last.isVerdict) limits.watch?.judged(slug, last.failure?.code ?? 'page');
    // a provider that was not asked confirms nothing
    if (isGone && attempt.latencyMs !== null) break;
    isGone ||= last.isGone;
  }
  if (poor) {
    steps[poor.at] = lowQualityStep(poor.attempt, 'answered');
    return gotPage(poor.attempt, attemptFacts(steps, judged));
  }
  return { ...diagnosis(judged), ...attemptFacts(steps, judged) };
}

function gotPage(attempt: PageAttempt, facts: ReturnType<typeof attemptFacts>): ChainResult {
  const { provider, page, measure, quality, cost } = attempt;
  return { kind: 'page', provider, page, measure, quality, cost, isCached: false, ...facts };
}

/** The facts about the attempts of a chain, for any end. */
function attemptFacts(steps: readonly ChainStep[], judged: readonly Judged[]) {
  return {
    steps,
    warnings: judged.flatMap(({ attempt, failure }) => attemptWarning(attempt, failure)),
    costs: judged.map(
      ({ attempt, failure }): ChainCost => ({
        provider: attempt.provider,
        outcome: failure === null ? 'succeeded' : 'failed',
        latencyMs: attempt.latencyMs,
        errorCode: failure?.code ?? null,
        ...attempt.cost,
      }),
    ),
  };
}

const skipped = (provider: string, code: RowErrorCode): ChainStep => ({
  provider,
  outcome: 'skipped',
  code,
  latency_ms: null,
});

function mayFollow(
  provider: ConfiguredFetchProvider,
  target: PageTarget,
  isPinned: boolean,
): boolean {
  return (provider.isConfigured || isPinned) && accepts(provider, target.parsed);
}

/** No provider delivers a page in less time; a call would be paid for nothing. */
const ATTEMPT_MIN_MS = 250;

const isOver = ({ signal, deadlineAt }: ChainLimits, { clock }: AttemptDependencies): boolean =>
  signal.aborted || deadlineAt - clock.now() < ATTEMPT_MIN_MS;

/** Not shortened to the deadline: an attempt that the deadline ends must not look too slow. */
function attemptTimeMs(
  provider: ConfiguredFetchProvider,
  isLast: boolean,
  { attemptTimeoutMs }: ChainLimits,
): number {
  const isVendor = 'target' in provider;
  const own = isVendor ? provider.target.timeoutMs : provider.timeoutMs;
  // a record is paid with the first call, and takes long
  const collects = isVendor && provider.declaration.collect !== undefined;
  return isLast || collects ? own : Math.min(own, attemptTimeoutMs);
}

/** @param timeoutMs time limit of the attempt */
export function planFor(
  { declaration }: { readonly declaration: FetchFacts },
  target: PageTarget,
  options: PageOptions,
  timeoutMs: number,
): FetchPlan {
  // a page that is asked of named providers comes from the site, unless the caller accepts a copy
  const isFresh = options.pinned !== null && options.maxAgeSeconds === null;
  return {
    url: target.url,
    tier: options.tier,
    fields: options.pageFields,
    contentFormat: options.contentFormat,
    maxAgeSeconds: options.maxAgeSeconds,
    noCache: options.noCache || (isFresh && declaration.lowestMaxAgeSeconds === 0),
    // with less than a second a vendor gives up before it has started
    timeLimitMs: Math.max(1_000, timeoutMs - VENDOR_MARGIN_MS),
  };
}

function judge(attempt: Attempt, isSpecialist: boolean): Judged {
  if (attempt.kind === 'failed') {
    const failure = failureOf(attempt.provider, attempt.failure);
    return { attempt, failure, isVerdict: false, isGone: false, isSpecialist };
  }
  const { verdict } = attempt;
  if (verdict === null) {
    return { attempt, failure: null, isVerdict: false, isGone: false, isSpecialist };
  }
  return {
    attempt,
    failure: failureOf(attempt.provider, verdict),
    isVerdict: true,
    isGone: !verdict.isOwnReason && (verdict.httpStatus === 404 || verdict.httpStatus === 410),
    isSpecialist,
  };
}

function stepOf({ attempt, failure }: Judged): ChainStep {
  const { provider, latencyMs } = attempt;
  if (latencyMs === null) return skipped(provider, failure?.code ?? 'internal_error');
  const outcome = failure === null ? 'answered' : 'failed';
  return { provider, outcome, code: failure?.code ?? null, latency_ms: latencyMs };
}

/**
 * What counts: the verdict that the page is gone, else what a specialist said, even that it took too long, else the first
 * verdict with a status, else the first verdict, else the last attempt.
 */
function diagnosis(judged: readonly Judged[]) {
  const verdicts = judged.filter(({ isVerdict }) => isVerdict);
  const decisive =
    verdicts.find((one) => one.isGone) ??
    judged.find(({ isSpecialist }) => isSpecialist) ??
    verdicts.find(({ failure }) => typeof failure?.httpStatus === 'number') ??
    verdicts[0] ??
    judged.at(-1);
  const attempts = judged.filter(({ attempt }) => attempt.latencyMs !== null).length;
  const failure = decisive?.failure ?? NO_CREDENTIAL;
  const isMissing = failure.httpStatus === 404 || failure.httpStatus === 410;
  return {
    kind: 'failed' as const,
    failure: { ...failure, attempts },
    ...(isMissing && decisive?.attempt.kind === 'page'
      ? { page: decisive.attempt.page, measure: decisive.attempt.measure }
      : { page: null, measure: null }),
    quality: null,
    isReached: verdicts.length > 0,
  };
}
