import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '@trawl/contract/vocabulary';
import { useId } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field, TextField } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import styles from './audit.module.css';
import { type AuditState, hasFilters, NO_FILTERS } from './audit-state.ts';

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
