import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SessionFilterChoices } from '@trawl/contract/console';
import type { InteractionOutcome } from '@trawl/contract/vocabulary';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { hasStatus, issueAt } from '../../api/error.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { SearchInput, TextField } from '../../parts/field.tsx';
import { Popover } from '../../parts/popover.tsx';
import { Select, type SelectOption } from '../../parts/select.tsx';
import { absoluteTime } from '../../parts/time-text.ts';
import {
  isFiltered,
  NO_FILTERS,
  type SessionFilters,
  type SessionListState,
  type TimeRange,
} from './session-filters.ts';
import styles from './sessions.module.css';

const ANY = 'any';
const TYPED_MS = 300;

const RANGE_OPTIONS: readonly SelectOption<TimeRange>[] = [
  { value: 'any', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
];

const OUTCOME_OPTIONS: readonly SelectOption<'any' | InteractionOutcome>[] = [
  { value: 'any', label: 'Any outcome' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'partial', label: 'Succeeded in part' },
  { value: 'failed', label: 'Failed' },
];

export interface FilterBarProps {
  readonly project: string;
  readonly state: SessionListState;
  readonly onChange: (change: Partial<SessionFilters>) => void;
  /** The fault of a filter is shown at its field. */
  readonly error: Error | null;
}

export function FilterBar({ project, state, onChange, error }: FilterBarProps) {
  const choices = useQuery({
    queryKey: [project, 'session-filters'],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/session-filters', {
        params: { project_id: project },
        signal,
      }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  }).data;
  const [typed, setTyped] = useTyped(state.text, (text) => onChange({ text }));
  return (
    <div className="stack-tight">
      <search className={styles.filters} aria-label="Filters">
        <SearchInput
          className={styles.search ?? ''}
          label="Query, URL or id"
          value={typed}
          onChange={setTyped}
        />
        <Select
          aria-label="Time"
          value={state.range}
          options={RANGE_OPTIONS}
          onChange={(range) => onChange({ range, from: '', to: '' })}
        />
        <Select
          aria-label="Outcome"
          value={state.outcome}
          options={OUTCOME_OPTIONS}
          onChange={(outcome) => onChange({ outcome })}
        />
        <Select
          aria-label="Provider"
          value={state.provider || ANY}
          options={optionsOf('Any provider', namesOf(choices?.providers), state.provider)}
          onChange={(provider) => onChange({ provider: provider === ANY ? '' : provider })}
        />
        <Select
          aria-label="Key"
          value={state.key || ANY}
          options={optionsOf('Any key', keysOf(choices), state.key)}
          onChange={(key) => onChange({ key: key === ANY ? '' : key })}
        />
        <MoreFilters state={state} onChange={onChange} choices={choices} error={error} />
        {isFiltered(state) && (
          <Button variant="quiet" onClick={() => onChange(NO_FILTERS)}>
            Clear filters
          </Button>
        )}
      </search>
      <Chips state={state} onChange={onChange} />
    </div>
  );
}

type Choice = readonly [value: string, label: string];
const namesOf = (names: readonly string[] = []): readonly Choice[] =>
  names.map((name) => [name, name]);
const keysOf = (choices: SessionFilterChoices | undefined): readonly Choice[] =>
  (choices?.keys ?? []).map(({ id, name }) => [id, name ?? `deleted key ${id.slice(-8)}`]);

/** With the chosen one, also where it was not used lately. */
function optionsOf(
  any: string,
  choices: readonly Choice[],
  chosen: string,
): readonly SelectOption<string>[] {
  const missing: readonly Choice[] =
    chosen === '' || choices.some(([value]) => value === chosen) ? [] : [[chosen, chosen]];
  return [
    { value: ANY, label: any },
    ...[...choices, ...missing].map(([value, label]) => ({ value, label })),
  ];
}

/** A text that changes the address when the person stops typing. */
function useTyped(
  value: string,
  onChange: (value: string) => void,
): readonly [string, (value: string) => void] {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    // the address was changed by something else, such as «back»
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = typed;
      change.current(typed);
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}

interface MoreFiltersProps extends Omit<FilterBarProps, 'project'> {
  readonly choices: SessionFilterChoices | undefined;
}

function MoreFilters(props: MoreFiltersProps) {
  const { state, onChange, choices, error } = props;
  const [user, setUser] = useTyped(state.user, (value) => onChange({ user: value }));
  const [metadata, setMetadata] = useTyped(state.metadata, (value) =>
    onChange({ metadata: value }),
  );
  const [cost, setCost] = useTyped(state.min_cost, (value) => onChange({ min_cost: value }));
  const [seconds, setSeconds] = useTyped(state.min_seconds, (value) =>
    onChange({ min_seconds: value }),
  );
  return (
    <Popover label="More filters" trigger={<Button icon="filter">More</Button>}>
      <div className={`stack ${styles.more}`}>
        <TextField
          label="User"
          hint="The user_id of the request"
          list="session-users"
          value={user}
          onChange={({ target }) => setUser(target.value)}
        />
        <datalist id="session-users">
          {choices?.user_ids.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <TextField
          label="Metadata"
          hint="key=value, such as customer=acme"
          error={issueAt(error, 'query', 'metadata')}
          value={metadata}
          onChange={({ target }) => setMetadata(target.value)}
        />
        <TextField
          label="Cost of at least, in US dollars"
          hint="Such as 0.05"
          inputMode="decimal"
          error={issueAt(error, 'query', 'min_cost_usd')}
          value={cost}
          onChange={({ target }) => setCost(target.value)}
        />
        <TextField
          label="Duration of at least, in seconds"
          inputMode="decimal"
          value={seconds}
          onChange={({ target }) => setSeconds(target.value)}
        />
        <Moment
          label="Active from"
          value={state.from}
          onChange={(from) => onChange({ from, range: 'any' })}
        />
        <Moment
          label="Begun before"
          value={state.to}
          onChange={(to) => onChange({ to, range: 'any' })}
        />
      </div>
    </Popover>
  );
}

interface MomentProps {
  readonly label: string;
  /** UTC. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A time in the zone of the browser; the address has it in UTC. */
const Moment = ({ label, value, onChange }: MomentProps) => (
  <TextField
    type="datetime-local"
    label={label}
    hint={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`}
    value={localTime(value)}
    onChange={({ target }) => {
      const time = Date.parse(target.value);
      onChange(Number.isNaN(time) ? '' : new Date(time).toISOString());
    }}
  />
);

/** As an input of this type has it: `2026-03-02T10:00`. */
function localTime(utc: string): string {
  const time = Date.parse(utc);
  if (Number.isNaN(time)) return '';
  const zoneMs = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - zoneMs).toISOString().slice(0, 16);
}

/** Filters that the bar does not show. */
function Chips({ state, onChange }: Pick<FilterBarProps, 'state' | 'onChange'>) {
  const chips: readonly (readonly [keyof SessionFilters, string])[] = [
    ['user', state.user && `user ${state.user}`],
    ['metadata', state.metadata && `metadata ${state.metadata}`],
    ['min_cost', state.min_cost && `at least $${state.min_cost}`],
    ['min_seconds', state.min_seconds && `at least ${state.min_seconds} s`],
    ['from', state.from && `from ${timeOr(state.from)}`],
    ['to', state.to && `before ${timeOr(state.to)}`],
  ];
  const shown = chips.filter(([, label]) => label !== '');
  if (shown.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters that apply">
      {shown.map(([name, label]) => (
        <li key={name}>
          <Badge tone="accent">
            <span className="cut">{label}</span>
          </Badge>
          <IconButton
            icon="close"
            size="small"
            label={`Remove the filter: ${label}`}
            onClick={() => onChange({ [name]: '' })}
          />
        </li>
      ))}
    </ul>
  );
}

function timeOr(written: string): string {
  const time = Date.parse(written);
  return Number.isNaN(time) ? written : absoluteTime(new Date(time));
}

/** Whether an answer is about the filters, so that the list is not at fault. */
export const isFilterFault = (error: Error | null): boolean => hasStatus(error, 422);
