import { DAY_MS } from '@trawl/base';
import type { HealthState } from '@trawl/contract';
import {
  BASELINE_DAYS,
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
  /** When it last was ill; null = never. */
  readonly ill: Illness | null;
}

/** A time whose answers say nothing of what is usual. */
export interface Illness {
  readonly from: number;
  readonly to: number | null;
  /** What was bad, as `nameOf` writes it. Empty = not known. */
  readonly by: readonly string[];
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
const OLDER_LEAST = 60;

/** Two days more than what is compared with. */
const DAYS_KEPT = BASELINE_DAYS + 2;

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
    const isOver =
      latest.length === RECOVERS_BY && areGood(measuresOf(latest, older), before.ill?.by ?? []);
    return isOver
      ? becomes('well', recovered(before, latest.at(-1)?.answeredAt ?? now))
      : becomes('ill');
  }
  if (older.answers < OLDER_LEAST) return becomes('unknown');
  if (counting.length >= WINDOW && measures.some(isBad)) {
    const from = counting.at(-1)?.answeredAt ?? now;
    const by = measures.filter(isBad).map(nameOf);
    return becomes('ill', { ill: { from: illFrom(before.ill, from), to: null, by } });
  }
  const isDoubtful =
    counting.length >= DOUBTFUL_BY && measuresOf(counting.slice(0, DOUBTFUL_BY), older).some(isBad);
  return becomes(isDoubtful ? 'doubtful' : 'well');
}

const nameOf = ({ kind, field }: HealthMeasure): string => field ?? kind;

/** Answers say that an illness is over where what was bad can be measured in them. */
function areGood(measures: readonly HealthMeasure[], by: readonly string[]): boolean {
  const names = measures.map(nameOf);
  return measures.length > 0 && by.every((one) => names.includes(one)) && measures.every(isGood);
}

/** One that follows soon on another goes on with it: the answers of both are not usual. */
const illFrom = (last: Illness | null, from: number): number =>
  last?.to != null && from - last.to < BASELINE_DAYS * DAY_MS ? last.from : from;

/** The time of which the older answers are read: of before an illness while it lasts. */
export function olderSpan(
  { ill }: Pick<KeptHealth, 'ill'>,
  oldestOfNewest: number,
): { readonly from: number; readonly until: number } {
  const until = ill?.to === null ? Math.min(ill.from, oldestOfNewest) : oldestOfNewest;
  return { from: until - BASELINE_DAYS * DAY_MS, until };
}

/** Answers since then are still needed. */
export const neededFrom = ({ ill }: Pick<KeptHealth, 'ill'>, now: number): number => {
  const isNear = ill !== null && (ill.to ?? now) > now - BASELINE_DAYS * DAY_MS;
  return (isNear ? Math.min(ill.from, now) : now) - DAYS_KEPT * DAY_MS;
};

/** @param from the first answer that counts again */
const recovered = ({ ill, since }: KeptHealth, from: number): Partial<KeptHealth> => ({
  countsFrom: from,
  ill: { from: ill?.from ?? since, to: from, by: [] },
});

/** As after a repair that an operator reports: answers before it do not count. */
export const resetHealth = (before: KeptHealth, now: number): KeptHealth => ({
  ...before,
  state: 'unknown',
  since: now,
  ...(before.state === 'ill' ? recovered(before, now) : { countsFrom: now }),
});
