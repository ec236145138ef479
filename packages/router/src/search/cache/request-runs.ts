import { type Clock, isoTime, type ReportFault, startDeadline } from '@trawl/base';
import type { RunCache } from '@trawl/contract';
import type { AskedFilters, FieldPlan } from '@trawl/providers';
import { type UpstreamResult, type UpstreamRunner, upstreamFailure } from '@trawl/upstream';
import { microsOf } from '../../billing/records.ts';
import type { Cost } from '../../interaction/cost.ts';
import type { Call, Caller } from '../../interaction/head.ts';
import { askOnce, type Flights, flightsOfTurn } from '../../sharing/flights.ts';
import { createSharedWork, type SharedWork } from '../../sharing/shared-work.ts';
import type { SearchCommand } from '../command.ts';
import { type ExecutedRun, executeRun, type SearchReading } from '../execute.ts';
import { type NormalizedRun, normalizeRun } from '../normalize.ts';
import { planWithout, type RunPlan } from '../plan.ts';
import { createFingerprints, type FingerprintKey } from './fingerprint.ts';
import { type RecordedAnswers, recordedAnswers } from './recorded-answers.ts';
import {
  type AnswerReader,
  hiddenText,
  NOT_ASKED,
  type ReadAnswer,
  servedRun,
} from './served-run.ts';

/** What a run that several wait for came to. */
type RunResult =
  | {
      readonly kind: 'asked';
      readonly result: UpstreamResult<SearchReading>;
      /** Milliseconds since 1970. */
      readonly answeredAt: number;
    }
  | { readonly kind: 'found'; readonly answer: ReadAnswer; readonly state: 'hit' | 'joined' };

type EndedRun = RunResult & { readonly end: () => Promise<void> };

/** The interaction that a run belongs to. */
export interface Asker {
  readonly interactionId: string;
  /** Resolves when it is recorded, or could not be. */
  readonly recorded: Promise<void>;
}

export type SharedRuns = SharedWork<Call, EndedRun, Asker>;

/** Equal runs in progress at the same time share one call. */
export const createSharedRuns = (): SharedRuns => createSharedWork();

export interface RunDependencies {
  readonly runner: UpstreamRunner;
  readonly answers: AnswerReader;
  readonly sharedRuns: SharedRuns;
  /** Runs of other replicas; absent = this process alone. */
  readonly flights?: Flights | undefined;
  readonly fingerprintKey: FingerprintKey;
  /** How old a recorded answer may be where a request does not say so; 0 = none is served. */
  readonly searchCacheTtlSeconds: number;
  readonly clock: Clock;
  readonly reportFault: ReportFault;
}

export interface RunsOf {
  readonly command: SearchCommand;
  readonly fields: FieldPlan;
  readonly filters: AskedFilters | undefined;
  readonly caller: Caller;
}

/** The runs of one request: answered from the record, by an equal run, or by their providers. */
export interface RequestRuns {
  /** Reads what may answer these plans, before money is reserved. */
  readonly look: (plans: readonly RunPlan[]) => Promise<void>;
  /** Whether a recorded answer was read for it: nothing turns that into a call. */
  readonly isHit: (plan: RunPlan) => boolean;
  /** Never throws: a failure is that run's result. */
  readonly answer: (plan: RunPlan, asker: Asker, options: AnswerOptions) => Promise<NormalizedRun>;
}

export type AnswerOptions = Pick<Parameters<typeof normalizeRun>[2], 'remarksOnCost'>;

/** Failures of others that a run waits through before it asks for itself, whatever others do. */
const FAILURES_MAX = 2;

/** A run that waits for another ends a little later than a call of its own would. */
const LATER_MS = 50;

export function requestRuns(of: RunsOf, dependencies: RunDependencies): RequestRuns {
  const maxAgeMs = maxAgeSeconds(of, dependencies) * 1_000;
  const { projectId } = of.caller;
  const fingerprintOf = rememberedFingerprints(of, dependencies);
  const making = makingRuns(of, dependencies, fingerprintOf);
  if (maxAgeMs === 0) {
    return {
      look: async () => {},
      isHit: () => false,
      answer: (plan, _asker, answerOptions) => making.askItself(plan, undefined, answerOptions),
    };
  }
  const recorded = recordedAnswers({ ...dependencies, projectId, maxAgeMs });
  const shared = sharedRun(of, { ...dependencies, recorded, making, fingerprintOf });
  return {
    look: async (plans) => {
      if (plans.length > 0) await recorded.look([...new Set(plans.map(fingerprintOf))]);
    },
    isHit: (plan) => recorded.found(fingerprintOf(plan)) !== undefined,
    answer: async (plan, asker, answerOptions) => {
      const hit = recorded.found(fingerprintOf(plan));
      return hit ? making.served(plan, hit, 'hit') : shared(plan, asker, answerOptions);
    },
  };
}

type MakingRuns = ReturnType<typeof makingRuns>;

/** Makes the runs of a request, by where their answers are from. */
function makingRuns(
  { command, fields, caller }: RunsOf,
  { clock, runner }: RunDependencies,
  fingerprintOf: (plan: RunPlan) => string,
) {
  const { options, postprocessorNames } = command;
  const includeRaw = options.include_raw ?? false;
  const needsRows = options.merge === true || postprocessorNames.length > 0;

  const cacheOf = (state: RunCache['state'], answeredAt: number, from: string): RunCache => ({
    state,
    age_seconds: Math.max(0, Math.floor((clock.now() - answeredAt) / 1_000)),
    interaction_id: caller.mayRead ? from : null,
  });

  /** A run of this result, and what it costs. */
  const asked = (
    plan: RunPlan,
    result: UpstreamResult<SearchReading>,
    cache: RunCache | undefined,
    answerOptions: AnswerOptions = {},
  ): NormalizedRun => {
    const executed: ExecutedRun = { plan: planWithout(plan, result.leftOut), result };
    const { rules } = caller;
    const made = { ...answerOptions, id: clock.newId(), includeRaw, cache, rules };
    return normalizeRun(executed, fields, made);
  };

  /** With what is kept so that it may answer others. */
  const answering = (run: NormalizedRun, plan: RunPlan, answeredAt: number): NormalizedRun => {
    if (!run.resultCount || caller.isWatch) return run;
    const answer = {
      fingerprint: fingerprintOf(plan),
      answeredAt: isoTime(answeredAt),
      costMicros: microsOf(run.cost.costUsd),
      ownWarnings: plan.warnings.length,
      hidden: needsRows ? hiddenText(run.rows) : null,
    };
    return { ...run, answer };
  };

  return {
    asked,
    answering,
    /** The run of a recorded answer. */
    served: (plan: RunPlan, answer: ReadAnswer, state: 'hit' | 'joined'): NormalizedRun => {
      const cache = cacheOf(state, Date.parse(answer.answeredAt), answer.interactionId);
      return servedRun(plan, answer, { id: clock.newId(), cache, rules: caller.rules });
    },
    /** The run of a call that another one pays. */
    joined: (
      plan: RunPlan,
      result: UpstreamResult<SearchReading>,
      { answeredAt, from }: { readonly answeredAt: number; readonly from: string },
    ): NormalizedRun => {
      const run = asked(plan, result, cacheOf('joined', answeredAt, from));
      const served = { from, savedMicros: microsOf(run.cost.costUsd) };
      return { ...run, cost: NOT_ASKED, served };
    },
    askItself: async (
      plan: RunPlan,
      cache: RunCache | undefined,
      answerOptions: AnswerOptions,
    ): Promise<NormalizedRun> => {
      const { result } = await executeRun(plan, runner, caller);
      return answering(asked(plan, result, cache, answerOptions), plan, clock.now());
    },
  };
}

interface SharingDependencies extends RunDependencies {
  readonly recorded: RecordedAnswers;
  readonly making: MakingRuns;
  readonly fingerprintOf: (plan: RunPlan) => string;
}

/**
 * The run of a plan, by the call of an equal one where there is one in progress. Where that fails,
 * one of those that wait asks for itself; after a second failure each does.
 */
function sharedRun({ caller }: RunsOf, dependencies: SharingDependencies): RequestRuns['answer'] {
  const { clock, sharedRuns, making, fingerprintOf } = dependencies;
  const workOf = sharedWork(dependencies);
  const joinInTime = async (plan: RunPlan, asker: Asker) => {
    const deadline = startDeadline({
      clock,
      timeoutMs: Number.POSITIVE_INFINITY,
      deadlineAt: caller.deadlineAt + LATER_MS,
      signals: [caller.signal],
    });
    try {
      const call = { ...caller, signal: deadline.signal() };
      return await sharedRuns.join(fingerprintOf(plan), call, asker, workOf(plan));
    } finally {
      deadline.release();
    }
  };
  return async (plan, asker, answerOptions) => {
    let paid: Cost | undefined;
    for (let failures = 0; failures < FAILURES_MAX; failures += 1) {
      const joined = await joinInTime(plan, asker);
      if (joined === 'left') {
        return withCost(making.asked(plan, unanswered(plan, caller), MISS), paid);
      }
      const { result: run, isStarter, isPayer, payer } = joined;
      if (run.kind === 'found') {
        return withCost(making.served(plan, run.answer, isStarter ? run.state : 'joined'), paid);
      }
      const { result, answeredAt } = run;
      const isAnswered = result.status === 'succeeded';
      if (isPayer && (isStarter || isAnswered)) {
        const own = withCost(making.asked(plan, result, MISS, answerOptions), paid);
        return making.answering(own, plan, answeredAt);
      }
      if (isAnswered) {
        const from = payer.interactionId;
        return withCost(making.joined(plan, result, { answeredAt, from }), paid);
      }
      // its starter left, and its cost is that of this run
      if (isPayer) paid = sumOf(making.asked(plan, result, MISS).cost, paid);
    }
    return withCost(await making.askItself(plan, MISS, answerOptions), paid);
  };
}

/** What runs of one fingerprint share: what another replica has recorded, or one call. */
function sharedWork({
  runner,
  clock,
  flights,
  sharedRuns,
  recorded,
  fingerprintOf,
}: SharingDependencies) {
  const take = flightsOfTurn(flights);
  const endedBefore = sharedRuns.ended();
  return (plan: RunPlan) => {
    const fingerprint = fingerprintOf(plan);
    const find = async (hasWaited: boolean): Promise<RunResult | undefined> => {
      const isUnchanged = flights === undefined && sharedRuns.ended() === endedBefore;
      if (isUnchanged && !hasWaited) return undefined;
      const answer = await recorded.since(fingerprint, hasWaited);
      return answer && { kind: 'found', answer, state: hasWaited ? 'joined' : 'hit' };
    };
    return {
      start: async (own: Call): Promise<EndedRun> => {
        const ask = async (): Promise<RunResult> => {
          const { result } = await executeRun(plan, runner, own);
          return { kind: 'asked', result, answeredAt: clock.now() };
        };
        const { result, end } = await askOnce({ take: () => take(fingerprint), find, ask }, own);
        return { ...result, end };
      },
      keep: (run: EndedRun, payer: Asker): Promise<void> | undefined => {
        const isAnswered = run.kind === 'asked' && run.result.status === 'succeeded';
        if (isAnswered) return payer.recorded.then(run.end);
        void run.end();
        return undefined;
      },
    };
  };
}

/** 0 = nothing is read. */
function maxAgeSeconds(
  { command: { options }, caller }: RunsOf,
  { searchCacheTtlSeconds }: RunDependencies,
): number {
  if (caller.isWatch || options.no_cache) return 0;
  return options.max_age_seconds ?? searchCacheTtlSeconds;
}

/** Each is made once, whatever warnings its plan gets. */
function rememberedFingerprints(of: RunsOf, { fingerprintKey }: RunDependencies) {
  const { projectId } = of.caller;
  const known = new Map<RunPlan['call'], string>();
  let made: ReturnType<typeof createFingerprints> | undefined;
  return (plan: RunPlan): string => {
    const remembered = known.get(plan.call);
    if (remembered !== undefined) return remembered;
    made ??= createFingerprints({ ...of, projectId }, fingerprintKey);
    const fingerprint = made(plan);
    known.set(plan.call, fingerprint);
    return fingerprint;
  };
}

const MISS: RunCache = { state: 'miss', age_seconds: null, interaction_id: null };

/** The result of a run that waited for another until its own end. */
function unanswered({ provider }: RunPlan, { signal }: Call): UpstreamResult<never> {
  const { slug } = provider.declaration;
  const failure = signal.aborted
    ? upstreamFailure(slug, 'cancelled', 'was not asked: the request was cancelled')
    : upstreamFailure(slug, 'timeout', 'was not asked: an equal search did not end in time');
  return {
    status: 'failed',
    failure,
    calls: 0,
    latencyMs: null,
    waitedMs: 0,
    raw: null,
    leftOut: [],
    keyTail: null,
    sentBy: undefined,
    baseUrl: provider.target.baseUrl,
  };
}

/** A run with the cost of a call of another one that it has to pay. */
const withCost = (run: NormalizedRun, paid: Cost | undefined): NormalizedRun =>
  paid === undefined ? run : { ...run, cost: sumOf(run.cost, paid) };

function sumOf(one: Cost, other: Cost | undefined): Cost {
  if (other === undefined || other.calls === 0) return one;
  if (one.calls === 0) return other;
  const isKnown = one.costUsd !== null && other.costUsd !== null;
  return {
    calls: one.calls + other.calls,
    costUsd: isKnown ? (one.costUsd ?? 0) + (other.costUsd ?? 0) : null,
    source: isKnown ? one.source : null,
    keyTail: one.keyTail ?? other.keyTail,
  };
}
