import { AUDIT_OUTCOMES } from '@trawl/contract/vocabulary';
import { oneOf, optional, text, type ValuesOf } from '../../url-state/values.ts';

export const SCOPES = ['project', 'deployment'] as const;
export type Scope = (typeof SCOPES)[number];

/** What of the page is in its address. */
export const AUDIT_STATE = {
  scope: oneOf(SCOPES, 'project'),
  action: text(),
  actor: text(),
  target: text(),
  outcome: oneOf(['any', ...AUDIT_OUTCOMES], 'any'),
  /** Days of the browser's time zone, `2026-11-22`; both are included. */
  from: text(),
  to: text(),
  /** Where the page of entries begins. */
  before: optional(),
  peek: optional(),
};
export type AuditState = ValuesOf<typeof AUDIT_STATE>;

export const NO_FILTERS = {
  action: '',
  actor: '',
  target: '',
  outcome: 'any',
  from: '',
  to: '',
  before: null,
} as const satisfies Partial<AuditState>;

export const hasFilters = (state: AuditState): boolean =>
  Object.values(filtersOf(state)).some((value) => value !== undefined);

/** The filters as the API reads them. */
export function filtersOf({ action, actor, target, outcome, from, to }: AuditState) {
  return {
    action: action.trim() || undefined,
    actor: actor.trim() || undefined,
    target: target.trim() || undefined,
    outcome: outcome === 'any' ? undefined : outcome,
    from: startOfDay(from, 0),
    to: startOfDay(to, 1),
  };
}

/**
 * The first moment of a day, or of one some days later, as the API writes it. Undefined for what is
 * not a day.
 */
function startOfDay(day: string, later: number): string | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (!match) return undefined;
  const [year = 0, month = 0, date = 0] = match.slice(1).map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
