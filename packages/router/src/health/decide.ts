import type { HealthState } from '@trawl/contract';
import {
  type HealthAnswer,
  type HealthMeasure,
  isBad,
  isGood,
  measuresOf,
  type OlderAnswers,
  WINDOW,
} from './measures.ts';

/** What is kept of a provider between two looks. */
export interface KeptHealth {
  readonly state: HealthState;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  /** Answers before this do not count as its newest ones: it had recovered, or was reset. */
  readonly countsFrom: number;
  /** When it last was ill: its answers of then say nothing of what is usual. null = never. */
  readonly ill: { readonly from: number; readonly to: number | null } | null;
}

/** The state with the numbers behind it. */
export interface DecidedHealth extends KeptHealth {
  readonly measures: readonly HealthMeasure[];
}

export const FIRST_HEALTH: KeptHealth = { state: 'unknown', since: 0, countsFrom: 0, ill: null };

/** With fewer answers in a day, nothing is known. */
export const ANSWERS_A_DAY = 20;
/** So many good answers end an illness. */
const RECOVERS_BY = 20;
/** When the newest of the window are bad, the provider is doubtful. */
const DOUBTFUL_BY = WINDOW / 2;
/** Older answers that are needed to know what is usual. */
export const OLDER_LEAST = 60;

export interface HealthFacts {
  /** Newest first, at most `WINDOW`. */
  readonly newest: readonly HealthAnswer[];
  /** Those before them. */
  readonly older: OlderAnswers;
  /** In the last 24 hours; more than `ANSWERS_A_DAY` are not counted. */
  readonly inDay: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The state that follows. Pure: replicas that see the same answers decide the same. */
export function nextHealth(before: KeptHealth, facts: HealthFacts): DecidedHealth {
  const { newest, older, inDay, now } = facts;
  const counting = newest.filter(({ answeredAt }) => answeredAt >= before.countsFrom);
  const measures = measuresOf(counting, older);
  const becomes = (state: HealthState, changes: Partial<KeptHealth> = {}): DecidedHealth => {
    const since = state === before.state ? before.since : now;
    return { ...before, state, since, ...changes, measures };
  };
  if (inDay < ANSWERS_A_DAY) {
    return before.state === 'ill' ? becomes('unknown', recovered(before, now)) : becomes('unknown');
  }
  if (before.state === 'ill') {
    const later = newest.filter(({ answeredAt }) => answeredAt > before.since);
    const latest = later.slice(0, RECOVERS_BY);
    const isOver = latest.length === RECOVERS_BY && measuresOf(latest, older).every(isGood);
    return isOver
      ? becomes('well', recovered(before, latest.at(-1)?.answeredAt ?? now))
      : becomes('ill');
  }
  if (older.answers < OLDER_LEAST) return becomes('unknown');
  if (counting.length >= WINDOW && measures.some(isBad)) {
    return becomes('ill', { ill: { from: counting.at(-1)?.answeredAt ?? now, to: null } });
  }
  const isDoubtful =
    counting.length >= DOUBTFUL_BY && measuresOf(counting.slice(0, DOUBTFUL_BY), older).some(isBad);
  return becomes(isDoubtful ? 'doubtful' : 'well');
}

/** @param from the first answer that counts again */
const recovered = ({ ill, since }: KeptHealth, from: number): Partial<KeptHealth> => ({
  countsFrom: from,
  ill: { from: ill?.from ?? since, to: from },
});

/** As after a repair that an operator reports: answers before it do not count. */
export const resetHealth = (before: KeptHealth, now: number): KeptHealth => ({
  ...before,
  state: 'unknown',
  since: now,
  ...(before.state === 'ill' ? recovered(before, now) : { countsFrom: now }),
});
