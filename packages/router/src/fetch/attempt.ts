import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, callerIdOf } from '@trawl/base';
import type { FetchPlan, FetchProvider, PageReading } from '@trawl/providers';
import type { PageCheck, PageOrVerdict, PageReader } from '@trawl/reader';
import type { UpstreamFailure, UpstreamResult, UpstreamRunner } from '@trawl/upstream';
import { upstreamFailure } from '@trawl/upstream';
import type { ConfiguredFetchProvider, ConfiguredVendor } from '../deployment/deployment.ts';
import type { Cost } from '../interaction/cost.ts';
import type { Call } from '../interaction/head.ts';
import { endOf } from '../interaction/observe.ts';
import { checkPage } from './check-page.ts';
import { costOf } from './cost.ts';

/** The outcome of asking one provider for one page. */
export type FetchAttempt = {
  readonly provider: string;
  /** null = nothing was attempted. */
  readonly latencyMs: number | null;
  readonly cost: Cost;
} & Ending;

export type Ending =
  | PageOrVerdict
  /** The provider failed, so its target was never reached. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure };

/** What an attempt may take, and what is done with its page. */
export interface AttemptLimits {
  /** Time limit of this attempt, from when it is sent. */
  readonly timeoutMs: number;
  /** Limit of its wait for a slot; absent = until the deadline. */
  readonly waitMs?: number | undefined;
  /** Repeat once where that is safe. */
  readonly retry: boolean;
  /** Whether the quality of a vendor's page is predicted. Default true. */
  readonly wantsQuality?: boolean | undefined;
  /** Whether to look for what a vendor's page hides. Default true. */
  readonly wantsFindings?: boolean | undefined;
  /** Send it even while the circuit is open. */
  readonly evenIfOpen?: boolean | undefined;
}

/** A call, and what one attempt of it may take. */
export interface LimitedCall {
  readonly call: Call;
  readonly limits: AttemptLimits;
}

export interface AttemptDependencies {
  readonly runner: UpstreamRunner;
  readonly clock: Clock;
  /** Our own readers by slug. */
  readonly readers: ReadonlyMap<string, PageReader>;
  readonly pageCheck: PageCheck;
  /** Time limit of one page's diagnosis, which it has even if the attempt is over. */
  readonly pageReadTimeoutMs: number;
}

/** Asks one provider for one page. Never throws. */
export async function attemptPage(
  provider: ConfiguredFetchProvider,
  plan: FetchPlan,
  { call, limits }: LimitedCall,
  dependencies: AttemptDependencies,
): Promise<FetchAttempt> {
  if (!('target' in provider)) {
    const { slug } = provider.declaration;
    return readOurselves(slug, plan, { call, limits }, dependencies);
  }
  const startedAt = dependencies.clock.now();
  dependencies.pageCheck.prepare();
  const { slug } = provider.declaration;
  const ended = call.observer?.called({ provider: slug, operation: 'fetch' });
  const { result, calls, keyTail } = await askVendor(
    provider,
    plan,
    { call, limits },
    dependencies,
  );
  ended?.({ ...endOf(result), calls });
  if (result.status === 'failed') {
    const cost = costOf(provider, plan, { kind: 'failed' }, { calls, keyTail });
    // the last of several calls may have been refused unsent, but the page was attempted
    const wasAsked = calls > 0 || result.latencyMs !== null;
    const latencyMs = wasAsked
      ? Math.max(0, Math.round(dependencies.clock.now() - startedAt))
      : null;
    return { provider: slug, latencyMs, cost, kind: 'failed', failure: result.failure };
  }
  const latencyMs = Math.max(0, Math.round(dependencies.clock.now() - startedAt));
  const reading = result.value;
  if (reading.kind === 'pending') {
    const failure = call.signal.aborted
      ? upstreamFailure(slug, 'cancelled', 'was stopped before it had collected the page')
      : upstreamFailure(slug, 'timeout', 'had not collected the page in time');
    const cost = costOf(provider, plan, { kind: 'failed' }, { calls, keyTail });
    return { provider: slug, latencyMs, cost, kind: 'failed', failure };
  }
  const isKeyless = result.leftOut.some((part) => part.in === 'credential');
  const vendor = isKeyless ? withoutKey(provider) : provider;
  const attempt = {
    provider: slug,
    latencyMs,
    cost: costOf(vendor, plan, reading, { calls, keyTail }),
  };
  if (reading.kind === 'verdict') return { ...attempt, ...reading };
  const endsAt = startedAt + limits.timeoutMs;
  const sent = { provider: slug, page: reading.page, url: plan.url };
  const { wantsQuality, wantsFindings } = limits;
  const judged = await checkPage(sent, { call, endsAt, wantsQuality, wantsFindings }, dependencies);
  return { provider: slug, latencyMs, cost: attempt.cost, ...judged };
}

/** As it answers where its key was refused and it was called without one. */
const withoutKey = (vendor: ConfiguredVendor): ConfiguredVendor => ({
  ...vendor,
  target: { ...vendor.target, credentials: [] },
});

interface Asked {
  readonly result: UpstreamResult<PageReading>;
  readonly calls: number;
  /** Of the last call that was sent. */
  readonly keyTail: string | null;
}

/** The call, and for a vendor that collects the page first, the calls that ask for it. */
async function askVendor(
  provider: ConfiguredVendor,
  plan: FetchPlan,
  { call: limited, limits }: LimitedCall,
  { runner, clock }: AttemptDependencies,
): Promise<Asked> {
  const { declaration, target } = provider;
  const { signal, deadlineAt } = limited;
  let timeLimitMs = limits.timeoutMs;
  // each wait for a slot moves it, so the wait does not count as the provider's time
  let endsAt = clock.now() + limits.timeoutMs;
  let calls = 0;
  let keyTail: string | null = null;
  let sentBy: string | undefined;
  const send = async (call: ReturnType<FetchProvider['request']>, retry: boolean, job?: string) => {
    const asked = await runner.run<PageReading>({
      target,
      timeLimitMs,
      callerId: callerIdOf(limited),
      call,
      read: (json) => readAnswer(declaration, json, plan, job),
      readText: (text) => {
        const body = declaration.readText?.(text);
        return body === undefined ? undefined : readAnswer(declaration, body, plan, job);
      },
      readFailedAnswer: (answer) => declaration.readFailedAnswer?.(answer, plan, job),
      signal,
      deadlineAt,
      // only the key that began a job may read it
      sentBy,
      waitMs: limits.waitMs,
      optionalParts: declaration.optionalParts,
      retry,
      evenIfOpen: limits.evenIfOpen,
      overridden: false,
    });
    endsAt += asked.waitedMs;
    calls += asked.calls;
    if (asked.calls > 0) keyTail = asked.keyTail;
    sentBy = asked.sentBy;
    return asked;
  };

  let result = await send(declaration.request(plan), limits.retry && !declaration.neverRetried);
  const { collect } = declaration;
  const collectedBy = () =>
    Math.min(endsAt, endsAt - limits.timeoutMs + (collect?.withinMs ?? 0), deadlineAt);
  while (collect && result.status === 'succeeded' && result.value.kind === 'pending') {
    const { job, isDue } = result.value;
    const waitMs = isDue ? 0 : collect.everyMs;
    if (clock.now() + waitMs >= collectedBy()) break;
    const isOver = await pause(waitMs, false, { signal }).catch(() => true);
    if (isOver) break;
    timeLimitMs = Math.max(0, endsAt - clock.now());
    result = await send(collect.follow(job, plan), false, job);
  }
  return { result, calls, keyTail };
}

function readAnswer(
  declaration: FetchProvider,
  body: unknown,
  plan: FetchPlan,
  job: string | undefined,
): PageReading | undefined {
  const answer = declaration.response.safeParse(body);
  return answer.success ? declaration.parse(answer.data, plan, job) : undefined;
}

/** Our own reader asks the target itself, so its outcome is about the page. */
async function readOurselves(
  slug: string,
  plan: FetchPlan,
  { call, limits }: LimitedCall,
  { readers, clock }: AttemptDependencies,
): Promise<FetchAttempt> {
  const { signal, deadlineAt, observer } = call;
  const callerId = callerIdOf(call);
  const startedAt = clock.now();
  const timeoutMs = Math.max(0, Math.min(limits.timeoutMs, deadlineAt - startedAt));
  const ended = observer?.called({ provider: slug, operation: 'fetch' });
  const reading = (await readers.get(slug)?.read(plan, { callerId, signal, timeoutMs })) ?? {
    kind: 'cancelled',
  };
  const latencyMs = Math.max(0, Math.round(clock.now() - startedAt));
  ended?.({ code: reading.kind === 'fault' ? reading.code : null, httpStatus: null, calls: 1 });
  const cost: Cost = { calls: 1, costUsd: 0, source: 'price_list', keyTail: null };
  if (reading.kind === 'page' || reading.kind === 'verdict') {
    return { provider: slug, latencyMs, cost, ...reading };
  }
  const failure =
    reading.kind === 'fault'
      ? upstreamFailure(slug, reading.code, reading.happened, {
          retryable: true,
          remedy: reading.remedy,
        })
      : upstreamFailure(slug, 'cancelled', 'was stopped before the page came');
  return { provider: slug, latencyMs, cost, kind: 'failed', failure };
}
