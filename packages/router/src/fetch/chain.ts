import type { ChainStep, RowErrorCode, StepCode, Warning } from '@trawl/contract';
import type { FetchFacts, FetchPlan, ReportedUsage } from '@trawl/providers';
import { pagePrice } from '../billing/list-price.ts';
import { type CallPrice, callPrice, FREE_CALL } from '../billing/planned-call.ts';
import { type ConfiguredFetchProvider, isCandidate } from '../deployment/deployment.ts';
import type { Call } from '../interaction/head.ts';
import type { AllowedDomains } from '../keys/allowed-domains.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import { type AttemptDependencies, attemptPage, type FetchAttempt } from './attempt.ts';
import { type ChainCost, type ChainResult, NO_CREDENTIAL, OVER_COST } from './chain-result.ts';
import { accepts, type PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';
import { FREE } from './cost.ts';
import type { CostRoom, PricedCall } from './cost-room.ts';
import {
  beatsLater,
  isPoorPage,
  LOW_QUALITY,
  lowQualityStep,
  type PageAttempt,
} from './low-quality.ts';
import { attemptWarning, failureOf, type PageFailure } from './page-failure.ts';

/** Who asks for a page. */
export interface PageCall extends Call {
  /** The only hosts whose pages the key may fetch; null = all. */
  readonly allowedDomains: AllowedDomains;
  readonly rules: WebRules;
}

export interface ChainDependencies extends AttemptDependencies {
  /** Time limit of an attempt that others follow, and of its wait for a slot. */
  readonly chainAttemptTimeoutMs: number;
}

/** A vendor with a time parameter gets this much less time than we wait. */
const VENDOR_MARGIN_MS = 2_000;

/** One attempt, with the diagnosis of its page. */
export interface WeighedAttempt {
  readonly attempt: FetchAttempt;
  /** null = it has no page. */
  readonly page: PageAttempt | null;
  /** null = it is a page. */
  readonly failure: PageFailure | null;
  /** Whether the failure is a verdict on the page. */
  readonly isVerdict: boolean;
  /** Whether the target itself answered that the page does not exist. */
  readonly isGone: boolean;
  /**
   * Whether the provider only accepts this kind of page, so its verdict counts more than others.
   */
  readonly isSpecialist: boolean;
  /** Whether it is a page of our own reader that is probably not good. */
  readonly isPoor: boolean;
}

/** What earlier attempts left, and whether a later one is possible. */
export interface Held {
  /** A page that is probably not good; null = none. */
  readonly page: PageAttempt | null;
  /** Whether the target answered that the page does not exist. */
  readonly isGone: boolean;
  readonly isLast: boolean;
}

/**
 * `return` its page, `hold` it while others are asked, `keep` the held one, which is better,
 * `stop`, or ask the `next` provider.
 */
export type Decision = 'return' | 'hold' | 'keep' | 'stop' | 'next';

/** A page, its providers, and the options. */
export interface WantedPage {
  readonly target: PageTarget;
  /** In the order in which they are asked. */
  readonly chain: readonly ConfiguredFetchProvider[];
  readonly options: PageOptions;
  /** One call that is sent even while the circuit is open. */
  readonly isProbe?: boolean;
  /** What the pages of the request may still cost; absent = no cap. */
  readonly room?: CostRoom | undefined;
}

/**
 * Asks the providers of a chain in turn until one has the page. Where the target answered one that
 * the page does not exist, only one more is asked: sites answer bots with a 404 too. A page of our
 * own reader that is probably not good is kept while later ones are asked. Never throws.
 */
export async function walkChain(
  wanted: WantedPage,
  call: PageCall,
  dependencies: ChainDependencies,
): Promise<ChainResult> {
  const { chain, room } = wanted;
  const steps: ChainStep[] = [];
  const judged: WeighedAttempt[] = [];
  const tooDear: string[] = [];
  const remarks: Warning[] = [];
  let held: { readonly page: PageAttempt; readonly at: number } | undefined;
  let isGone = false;
  const facts = () => attemptFacts(steps, judged, [...(room?.leftOut(tooDear) ?? []), ...remarks]);
  for (const [index, provider] of chain.entries()) {
    const passedOver = passOver(provider, wanted);
    if (passedOver !== null) {
      steps.push(passedOver);
      continue;
    }
    if (judged.length > 0 && isOver(call, dependencies)) break;
    const priced = room && pricedCall(provider, wanted);
    if (room && priced && !room.take(priced)) {
      steps.push(skipped(priced.provider, 'over_cost'));
      tooDear.push(priced.provider);
      continue;
    }
    const isLast = chain.slice(index + 1).every((next) => passOver(next, wanted) !== null);
    const before: Held = { page: held?.page ?? null, isGone, isLast };
    const last = await ask(provider, wanted, { call, before }, dependencies);
    judged.push(last);
    if (room && priced) remarks.push(...room.settle(priced, last.attempt.cost));
    const decision = decide(last, before);
    steps.push(stepOf(last, decision));
    const outcome = outcomeOf(last, decision);
    if (outcome !== null) call.observer?.judged(last.attempt.provider, outcome);
    if (decision === 'return' && last.page) return gotPage(last.page, facts());
    if (decision === 'stop' || decision === 'keep') break;
    if (decision === 'hold' && last.page) held = { page: last.page, at: steps.length - 1 };
    isGone ||= last.isGone;
  }
  if (held && !judged.some(isRuledOut)) {
    steps[held.at] = lowQualityStep(held.page, 'answered');
    return gotPage(held.page, facts());
  }
  const unasked = tooDear.length > 0 ? OVER_COST : NO_CREDENTIAL;
  return { ...diagnosis(judged, unasked), ...facts() };
}

/** What follows an attempt. */
export function decide(judged: WeighedAttempt, held: Held): Decision {
  const { attempt, page, isPoor } = judged;
  if (page === null) {
    // others would follow the same redirect
    if (isRuledOut(judged)) return 'stop';
    // a provider that was not asked confirms nothing
    return held.isGone && attempt.latencyMs !== null ? 'stop' : 'next';
  }
  if (isPoor && !held.isLast && !held.isGone) return 'hold';
  return held.page !== null && beatsLater(held.page, page) ? 'keep' : 'return';
}

/** Whether the page leads to an address that a web rule refuses. */
const isRuledOut = ({ failure }: WeighedAttempt): boolean => failure?.rule !== undefined;

/** The step of a provider that is not asked for this page; null = it is. */
function passOver(
  provider: ConfiguredFetchProvider,
  { target, options }: WantedPage,
): ChainStep | null {
  const { slug } = provider.declaration;
  if (!accepts(provider, target.parsed)) {
    return { provider: slug, outcome: 'declined', code: 'declined', latency_ms: null };
  }
  const isAsked = isCandidate(provider) || options.pinned !== null;
  return isAsked ? null : skipped(slug, 'missing_credential');
}

/** Asks one provider of the chain, as long as what is left of it allows. */
async function ask(
  provider: ConfiguredFetchProvider,
  wanted: WantedPage,
  { call, before }: { readonly call: PageCall; readonly before: Held },
  dependencies: ChainDependencies,
): Promise<WeighedAttempt> {
  const { target, chain, options, isProbe, room } = wanted;
  const mayRetry = options.pinned !== null && chain.length === 1 && !isProbe;
  // a page at hand does not wait for the last provider's whole time
  const mayWait = before.isLast && before.page === null;
  const limits = {
    timeoutMs: attemptTimeMs(provider, mayWait, dependencies),
    waitMs: mayWait ? undefined : waitTimeMs(provider, dependencies),
    retry: mayRetry && (room?.takeAgain(pricedCall(provider, wanted)) ?? true),
    evenIfOpen: isProbe,
    // for its row, or to compare it with the page at hand
    wantsQuality: options.fields.has('quality') || before.page !== null,
    wantsFindings: options.fields.has('findings'),
  };
  const leftMs = call.deadlineAt - dependencies.clock.now();
  const plan = {
    onlyHosts: call.allowedDomains,
    webRule: call.rules.ofUrl,
    ...planFor(provider, target, options, Math.min(limits.timeoutMs, leftMs)),
  };
  return weighAttempt(provider, await attemptPage(provider, plan, { call, limits }, dependencies));
}

/** A call of the chain with its price. */
function pricedCall(
  provider: ConfiguredFetchProvider,
  { target, options }: WantedPage,
): PricedCall {
  const { slug } = provider.declaration;
  return { url: target.url, provider: slug, usd: chainPrice(provider, target, options).cost_usd };
}

/** The price of asking this provider for a page, before it is asked. */
export function chainPrice(
  provider: ConfiguredFetchProvider,
  target: PageTarget,
  options: PageOptions,
): CallPrice {
  if (!('target' in provider)) return FREE_CALL;
  const plan = planFor(provider, target, options, provider.target.timeoutMs);
  return callPrice(pagePrice(provider, plan, null));
}

/** What an observer of the request is shown; null = nothing, as no page was seen. */
function outcomeOf(
  { page, failure, isVerdict }: WeighedAttempt,
  decision: Decision,
): RowErrorCode | StepCode | 'page' | null {
  if (page === null) return isVerdict ? (failure?.code ?? 'page') : null;
  return decision === 'return' ? 'page' : LOW_QUALITY;
}

function gotPage(attempt: PageAttempt, facts: ReturnType<typeof attemptFacts>): ChainResult {
  const { provider, page, measure, quality, findings, cost } = attempt;
  const read = { provider, page, measure, quality, findings, cost };
  return { kind: 'page', ...read, isCached: false, ...facts };
}

/** The facts about the attempts of a chain, for any end. */
function attemptFacts(
  steps: readonly ChainStep[],
  judged: readonly WeighedAttempt[],
  remarks: readonly Warning[],
) {
  return {
    steps,
    warnings: [
      ...judged.flatMap(({ attempt, failure }) => attemptWarning(attempt, failure)),
      ...remarks,
    ],
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

/** No provider delivers a page in less time; a call would be paid for nothing. */
const ATTEMPT_MIN_MS = 250;

const isOver = ({ signal, deadlineAt }: Call, { clock }: AttemptDependencies): boolean =>
  signal.aborted || deadlineAt - clock.now() < ATTEMPT_MIN_MS;

/** A service that is asked without a key answers few pages at a time: the next one has the rest. */
const KEYLESS_WAIT_MS = 3_000;

const waitTimeMs = (
  { keyless }: ConfiguredFetchProvider,
  { chainAttemptTimeoutMs }: ChainDependencies,
): number =>
  keyless === undefined ? chainAttemptTimeoutMs : Math.min(KEYLESS_WAIT_MS, chainAttemptTimeoutMs);

/** Not shortened to the deadline: an attempt that the deadline ends must not look too slow. */
function attemptTimeMs(
  provider: ConfiguredFetchProvider,
  isLast: boolean,
  { chainAttemptTimeoutMs }: ChainDependencies,
): number {
  const isVendor = 'target' in provider;
  const own = isVendor ? provider.target.timeoutMs : provider.timeoutMs;
  // a record is paid with the first call, and takes long
  const collects = isVendor && provider.declaration.collect !== undefined;
  return isLast || collects ? own : Math.min(own, chainAttemptTimeoutMs);
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
    // with less than a second a vendor ends before it has started
    timeLimitMs: Math.max(1_000, timeoutMs - VENDOR_MARGIN_MS),
  };
}

function weighAttempt(provider: ConfiguredFetchProvider, attempt: FetchAttempt): WeighedAttempt {
  const isSpecialist = provider.declaration.accepts !== undefined;
  const unsaid = {
    attempt,
    page: null,
    failure: null,
    isVerdict: false,
    isGone: false,
    isPoor: false,
  };
  if (attempt.kind === 'failed') {
    return { ...unsaid, failure: failureOf(attempt.provider, attempt.failure), isSpecialist };
  }
  const { verdict } = attempt;
  if (verdict === null) {
    const page = attempt.kind === 'page' ? attempt : null;
    return { ...unsaid, page, isSpecialist, isPoor: page !== null && isPoorPage(provider, page) };
  }
  return {
    ...unsaid,
    failure: failureOf(attempt.provider, verdict),
    isVerdict: true,
    isGone: !verdict.isOwnReason && (verdict.httpStatus === 404 || verdict.httpStatus === 410),
    isSpecialist,
  };
}

function stepOf({ attempt, page, failure }: WeighedAttempt, decision: Decision): ChainStep {
  const { provider, latencyMs } = attempt;
  if (page !== null && decision !== 'return') return lowQualityStep(page, 'failed');
  if (latencyMs === null) return skipped(provider, failure?.code ?? 'internal_error');
  const outcome = failure === null ? 'answered' : 'failed';
  return { provider, outcome, code: failure?.code ?? null, latency_ms: latencyMs };
}

function usageOf(attempt: FetchAttempt | undefined): ReportedUsage | null {
  if (attempt?.kind === 'page') return attempt.page.usage;
  return attempt?.kind === 'verdict' ? (attempt.verdict.usage ?? null) : null;
}

/**
 * What counts: the verdict that no page exists, else what a specialist said, even that it took
 * too long, else the first verdict with a status, else the first verdict, else the last attempt.
 */
function diagnosis(judged: readonly WeighedAttempt[], unasked: PageFailure) {
  const verdicts = judged.filter(({ isVerdict }) => isVerdict);
  const decisive =
    verdicts.find(isRuledOut) ??
    verdicts.find((one) => one.isGone) ??
    judged.find(({ isSpecialist }) => isSpecialist) ??
    verdicts.find(({ failure }) => typeof failure?.httpStatus === 'number') ??
    verdicts[0] ??
    judged.at(-1);
  const attempts = judged.filter(({ attempt }) => attempt.latencyMs !== null).length;
  const failure = decisive?.failure ?? unasked;
  const isMissing = failure.httpStatus === 404 || failure.httpStatus === 410;
  return {
    kind: 'failed' as const,
    failure: { ...failure, attempts },
    usage: usageOf(decisive?.attempt),
    cost: decisive?.attempt.cost ?? FREE,
    ...(isMissing && decisive?.attempt.kind === 'page'
      ? { page: decisive.attempt.page, measure: decisive.attempt.measure }
      : { page: null, measure: null }),
    quality: null,
    findings: [],
    isReached: verdicts.length > 0,
  };
}
