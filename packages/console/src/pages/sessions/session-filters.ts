import type { ConsoleCall } from '@trawl/contract/console';
import { INTERACTION_OUTCOMES, type InteractionOutcome } from '@trawl/contract/vocabulary';
import { useMemo } from 'react';
import { DAY_MS, HOUR_MS } from '../../parts/time-text.ts';
import { flag, oneOf, optional, text, type ValuesOf } from '../../url-state/url-state.ts';

export const RANGES = ['any', '1h', '24h', '7d', '30d'] as const;
export type TimeRange = (typeof RANGES)[number];

const RANGE_MS: Readonly<Record<Exclude<TimeRange, 'any'>, number>> = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

/** The state of the list in its address. */
export const LIST_STATE = {
  text: text(),
  range: oneOf(RANGES, 'any'),
  /** Times in UTC, as another page links here. */
  from: text(),
  to: text(),
  outcome: oneOf<'any' | InteractionOutcome>(['any', ...INTERACTION_OUTCOMES], 'any'),
  provider: text(),
  key: text(),
  user: text(),
  metadata: text(),
  min_cost: text(),
  min_seconds: text(),
  after: optional(),
  peek: optional(),
  live: flag(),
};
export type SessionListState = ValuesOf<typeof LIST_STATE>;
export type SessionFilters = Pick<
  SessionListState,
  | 'text'
  | 'range'
  | 'from'
  | 'to'
  | 'outcome'
  | 'provider'
  | 'key'
  | 'user'
  | 'metadata'
  | 'min_cost'
  | 'min_seconds'
>;

export const NO_FILTERS: SessionFilters = {
  text: '',
  range: 'any',
  from: '',
  to: '',
  outcome: 'any',
  provider: '',
  key: '',
  user: '',
  metadata: '',
  min_cost: '',
  min_seconds: '',
};

export const isFiltered = (state: SessionListState): boolean =>
  Object.entries(NO_FILTERS).some(([name, value]) => state[name as keyof SessionFilters] !== value);

export type ListQuery = ConsoleCall<'listConsoleSessions'>['query'];

/** The filters in the words of the API. @param now of the moment when the range was chosen */
export function queryOf(state: SessionListState, now: number): ListQuery {
  const from =
    state.range === 'any' ? state.from : new Date(now - RANGE_MS[state.range]).toISOString();
  const seconds = Number.parseFloat(state.min_seconds);
  return {
    from: from || undefined,
    to: (state.range === 'any' && state.to) || undefined,
    outcome: state.outcome === 'any' ? undefined : state.outcome,
    provider: state.provider || undefined,
    key_id: state.key || undefined,
    user_id: state.user || undefined,
    text: state.text.trim() || undefined,
    metadata: state.metadata || undefined,
    min_cost_usd: state.min_cost || undefined,
    min_duration_ms: seconds > 0 ? Math.round(seconds * 1000) : undefined,
  };
}

/**
 * The same query until a filter changes: a range ends now, which would else be another one with
 * each drawing.
 */
export function useListQuery(state: SessionListState): ListQuery {
  const { peek: _, live: __, after: ___, ...filters } = state;
  const key = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all filters
  return useMemo(() => queryOf(state, Date.now()), [key]);
}
