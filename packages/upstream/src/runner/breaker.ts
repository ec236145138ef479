import type { RunErrorCode } from '@trawl/contract';
import type { OperationKind } from './types.ts';

interface CoolDown {
  /**
   * Failures since the last success that open the circuit; causes of one `streak` count together.
   */
  readonly threshold: number;
  readonly streak: 'faults' | 'refusals' | 'rateLimits';
  /** Doubles with each failed probe, up to `maxMs`. */
  readonly baseMs: number;
  readonly maxMs: number;
}

/**
 * One failure may be an accident, five in a row are an outage. Short, since most outages are short.
 */
const OUTAGE: CoolDown = { threshold: 5, streak: 'faults', baseMs: 15_000, maxMs: 120_000 };

/**
 * Other codes say nothing about the provider: an internal error, a fault of the caller, or nothing
 * was sent.
 */
const COOL_DOWNS: Readonly<Partial<Record<RunErrorCode, CoolDown>>> = {
  // certain at once, and only a person can fix it; short enough to notice the fix soon
  invalid_credential: { threshold: 1, streak: 'refusals', baseMs: 30_000, maxMs: 300_000 },
  // certain at once; a top-up needs a person, a new month takes long
  quota_exhausted: { threshold: 1, streak: 'refusals', baseMs: 60_000, maxMs: 900_000 },
  // may be one burst. A time named by the provider replaces this one
  rate_limited: { threshold: 3, streak: 'rateLimits', baseMs: 5_000, maxMs: 60_000 },
  timeout: OUTAGE,
  network_error: OUTAGE,
  upstream_error: OUTAGE,
  bad_response: OUTAGE,
};

/** Whether a failure counts against the provider, its key or its address. */
export const coolsDown = (code: RunErrorCode): boolean => COOL_DOWNS[code] !== undefined;

/** Whether a failure is about the key, so that another key may work. */
export const isAboutKey = (code: RunErrorCode): boolean => {
  const streak = COOL_DOWNS[code]?.streak;
  return streak === 'refusals' || streak === 'rateLimits';
};

/** A provider that asks for more than this gets a probe earlier. */
const NAMED_COOL_DOWN_MAX_MS = 120_000;
/** Given to callers while a probe is in progress, whose duration is unknown. */
const PROBE_WAIT_MS = 1_000;

/** State of one circuit. No state = healthy. Plain data, so it can be stored elsewhere. */
export interface BreakerState {
  /** Failures since the last success. */
  readonly failures: Readonly<Record<CoolDown['streak'], number>>;
  /** Cool-downs since the last success. */
  readonly openings: number;
  /** Why the circuit is open; null = closed. */
  readonly cause: RunErrorCode | null;
  /** End of the cool-down, by the clock of `createBreaker`. */
  readonly openUntil: number;
  /** When the place of a probe is free again if its process died; 0 = no probe in progress. */
  readonly probeUntil: number;
}

/**
 * Where states are kept. Synchronous: a store that replicas share keeps a local copy, reads that
 * one and sends its writes around.
 */
export interface BreakerStore {
  get(circuit: string): BreakerState | undefined;
  set(circuit: string, state: BreakerState): unknown;
  delete(circuit: string): unknown;
  /**
   * Whether this process may probe, while the lease runs; absent = it always may. One process at a
   * time may, so that a provider that recovers gets one call and not one from each replica.
   */
  claimProbe?(circuit: string, leaseMs: number): Promise<boolean>;
}

export type Admission =
  | { readonly isAdmitted: true; readonly isProbe: boolean }
  | { readonly isAdmitted: false; readonly cause: RunErrorCode; readonly retryAfterMs: number };

/** The outcome of an admitted call. `neutral` = it says nothing about the provider. */
export type CallOutcome =
  | 'succeeded'
  | 'neutral'
  | { readonly code: RunErrorCode; readonly retryAfterMs: number | null };

export interface ProviderHealth {
  readonly state: 'closed' | 'open' | 'half_open';
  readonly cause: RunErrorCode | null;
  /** Until the next call may pass; null = it may now. */
  readonly retryAfterMs: number | null;
}

/** The change of the circuit after an outcome. */
export type CircuitChange =
  | { readonly kind: 'opened'; readonly health: ProviderHealth }
  /** `cause`: why it was open. */
  | { readonly kind: 'closed'; readonly cause: RunErrorCode };

/** Circuits by name, see `circuitOf`; a key or address of several has one of its own. */
export interface Breaker {
  /** `leaseMs`: how long the call takes at most. Each admitted call must be settled once. */
  admit(circuit: string, leaseMs: number): Admission;
  /** Like `admit`, but a probe needs the consent of the other replicas too. */
  admitShared(circuit: string, leaseMs: number): Promise<Admission>;
  /**
   * undefined when this outcome neither opened nor closed the circuit.
   * @param isOneOfSeveral others can be used instead, so the first rate limit opens it
   */
  settle(
    circuit: string,
    isProbe: boolean,
    outcome: CallOutcome,
    isOneOfSeveral?: boolean,
  ): CircuitChange | undefined;
  health(circuit: string): ProviderHealth;
  /**
   * The provider's key was replaced: what was counted against the old one, or its account, is
   * forgotten.
   */
  forgetKey(circuit: string): void;
}

/** The name of a circuit. One provider has one for each operation. */
export const circuitOf = (slug: string, operation: OperationKind): string => `${slug}:${operation}`;

const HEALTHY: BreakerState = {
  failures: { faults: 0, refusals: 0, rateLimits: 0 },
  openings: 0,
  cause: null,
  openUntil: 0,
  probeUntil: 0,
};
const PASS: Admission = { isAdmitted: true, isProbe: false };
const CLOSED: ProviderHealth = { state: 'closed', cause: null, retryAfterMs: null };

/** Admits every call. */
export const noBreaker: Breaker = {
  admit: () => PASS,
  admitShared: async () => PASS,
  settle: () => undefined,
  health: () => CLOSED,
  forgetKey: () => {},
};

/**
 * @param elapsed milliseconds that never go back, such as `performance.now`: with a clock that is
 * set back, a circuit would stay open for that time too. A store that fills in states of its own
 * uses the same clock
 */
export function createBreaker(elapsed: () => number, store: BreakerStore = new Map()): Breaker {
  const health = (circuit: string) => healthOf(store.get(circuit), elapsed());

  const admit = (circuit: string, leaseMs: number): Admission => {
    const state = store.get(circuit);
    if (state === undefined || state.cause === null) return PASS;
    const now = elapsed();
    const { retryAfterMs } = healthOf(state, now);
    if (retryAfterMs !== null) return { isAdmitted: false, cause: state.cause, retryAfterMs };
    store.set(circuit, { ...state, probeUntil: now + leaseMs });
    return { isAdmitted: true, isProbe: true };
  };

  /**
   * Another replica probes: this one looks again after a while, unless it hears the outcome before.
   */
  const refuseProbe = (circuit: string): Admission => {
    const state = store.get(circuit);
    if (state === undefined || state.cause === null) return PASS;
    const now = elapsed();
    if (now >= state.openUntil) store.set(circuit, { ...state, probeUntil: now + PROBE_WAIT_MS });
    const retryAfterMs = Math.max(wholeMs(state.openUntil - now), PROBE_WAIT_MS);
    return { isAdmitted: false, cause: state.cause, retryAfterMs };
  };

  return {
    admit,
    async admitShared(circuit, leaseMs) {
      const admission = admit(circuit, leaseMs);
      if (!store.claimProbe || !admission.isAdmitted || !admission.isProbe) return admission;
      return (await store.claimProbe(circuit, leaseMs)) ? admission : refuseProbe(circuit);
    },
    settle(circuit, isProbe, outcome, isOneOfSeveral = false) {
      const before = store.get(circuit);
      if (before === undefined && typeof outcome === 'string') return undefined;
      const after = nextState(before ?? HEALTHY, outcome, elapsed(), { isProbe, isOneOfSeveral });
      if (after === HEALTHY) store.delete(circuit);
      else if (after !== before) store.set(circuit, after);
      if (after.openings > (before?.openings ?? 0)) {
        return { kind: 'opened', health: health(circuit) };
      }
      const cause = after === HEALTHY ? (before?.cause ?? null) : null;
      return cause === null ? undefined : { kind: 'closed', cause };
    },
    health,
    forgetKey(circuit) {
      const state = store.get(circuit);
      if (state === undefined) return;
      const isOutage = state.cause !== null && !isAboutKey(state.cause);
      if (!isOutage) store.delete(circuit);
    },
  };
}

/**
 * The state machine. Returns `state` itself where nothing changes, `HEALTHY` itself for a healthy
 * circuit.
 */
function nextState(
  state: BreakerState,
  outcome: CallOutcome,
  now: number,
  { isProbe, isOneOfSeveral }: { readonly isProbe: boolean; readonly isOneOfSeveral: boolean },
): BreakerState {
  const isOpen = state.cause !== null;
  if (outcome === 'succeeded') {
    // a call that was sent before the limit was named does not lift it
    const isLate = isOpen && !isProbe && state.cause === 'rate_limited';
    return isLate ? state : HEALTHY;
  }
  const rule = outcome === 'neutral' ? undefined : COOL_DOWNS[outcome.code];
  if (outcome === 'neutral' || rule === undefined) {
    return isOpen && isProbe ? { ...state, probeUntil: 0 } : state;
  }
  // calls in progress when the circuit opened would only count the same fault again
  if (isOpen && !isProbe) return state;
  const { streak } = rule;
  const threshold = isOneOfSeveral && streak === 'rateLimits' ? 1 : rule.threshold;
  const failures = { ...state.failures, [streak]: state.failures[streak] + 1 };
  const namedMs = outcome.code === 'rate_limited' ? outcome.retryAfterMs || null : null;
  const opens = isOpen || namedMs !== null || failures[streak] >= threshold;
  if (!opens) return { ...state, failures };
  return {
    failures,
    openings: state.openings + 1,
    cause: outcome.code,
    openUntil: now + coolDownMs(rule, state.openings, namedMs),
    probeUntil: 0,
  };
}

function coolDownMs({ baseMs, maxMs }: CoolDown, openings: number, namedMs: number | null): number {
  if (namedMs !== null) return Math.min(namedMs, NAMED_COOL_DOWN_MAX_MS);
  return Math.min(baseMs * 2 ** openings, maxMs);
}

/** The clock has fractions, what callers read has none. Time that is left is never 0. */
const wholeMs = (milliseconds: number): number => Math.max(1, Math.round(milliseconds));

function healthOf(state: BreakerState | undefined, now: number): ProviderHealth {
  if (state === undefined || state.cause === null) return CLOSED;
  const { cause, openUntil, probeUntil } = state;
  if (now < openUntil) return { state: 'open', cause, retryAfterMs: wholeMs(openUntil - now) };
  return { state: 'half_open', cause, retryAfterMs: now < probeUntil ? PROBE_WAIT_MS : null };
}
