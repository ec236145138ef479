import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '@trawl/contract/vocabulary';
import { useId } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field, TextField } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { oneOf, optional, text, type ValuesOf } from '../../url-state/url-state.ts';
import styles from './audit.module.css';

const SCOPES = ['project', 'deployment'] as const;
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

/** Of actions, also their first part: `member` finds all actions on members. */
const ACTION_CHOICES = [
  ...new Set(AUDIT_ACTIONS.map((action) => action.slice(0, action.indexOf('.')))),
  ...AUDIT_ACTIONS,
];
const OUTCOMES = [
  { value: 'any' as const, label: 'any' },
  ...AUDIT_OUTCOMES.map((outcome) => ({ value: outcome, label: outcome })),
];

interface AuditFiltersProps {
  readonly state: AuditState;
  readonly onChange: (change: Partial<AuditState>) => void;
}

export function AuditFilters({ state, onChange }: AuditFiltersProps) {
  const list = useId();
  // another filter shows other entries, from the newest one
  const change = (part: Partial<AuditState>) => onChange({ before: null, ...part });
  const field = (name: 'action' | 'actor' | 'target' | 'from' | 'to') => ({
    value: state[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change({ [name]: target.value }),
  });
  return (
    <search className="stack-tight">
      <div className={styles.filters}>
        <TextField label="Action" data-search list={list} {...field('action')} />
        <datalist id={list}>
          {ACTION_CHOICES.map((action) => (
            <option key={action} value={action} />
          ))}
        </datalist>
        <TextField label="Who" {...field('actor')} />
        <TextField label="On" {...field('target')} />
        <Field label="Outcome">
          {(control) => (
            <Select
              {...control}
              value={state.outcome}
              options={OUTCOMES}
              onChange={(outcome) => change({ outcome })}
            />
          )}
        </Field>
        <TextField label="From" type="date" {...field('from')} />
        <TextField label="To" type="date" {...field('to')} />
      </div>
      {hasFilters(state) && (
        <div className="row">
          <Button size="small" icon="close" onClick={() => onChange(NO_FILTERS)}>
            Clear filters
          </Button>
        </div>
      )}
    </search>
  );
}
