import type { ConsoleKey } from '@trawl/contract/console';
import { KEY_PERMISSIONS, KEY_STATES } from '@trawl/contract/vocabulary';
import { SearchInput } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { flag, oneOf, optional, sortOf, text, type ValuesOf } from '../../url-state/url-state.ts';
import { makerText } from './key-columns.tsx';
import { STATES } from './key-words.ts';
import styles from './keys.module.css';

/** What the list shows, in the address. */
export const LIST_STATE = {
  /** The form of a new key is open. */
  create: flag(),
  q: text(),
  status: oneOf(['any', ...KEY_STATES], 'any'),
  permission: oneOf(['any', ...KEY_PERMISSIONS], 'any'),
  /** The id of a person, or `none`. */
  creator: optional(),
  sort: sortOf(['name', 'spent', 'used', 'expires', 'created'], {
    key: 'created',
    isDescending: true,
  }),
};
export type KeyListState = ValuesOf<typeof LIST_STATE>;

export const NO_FILTERS = { q: '', status: 'any', permission: 'any', creator: null } as const;

export const isFiltered = ({ q, status, permission, creator }: KeyListState): boolean =>
  q !== '' || status !== 'any' || permission !== 'any' || creator !== null;

const creatorOf = ({ created_by }: ConsoleKey): string => created_by?.id ?? 'none';

/** The keys that match, in their order. */
export function shownKeys(keys: readonly ConsoleKey[], state: KeyListState): readonly ConsoleKey[] {
  const { q, status, permission, creator, sort } = state;
  const wanted = q.trim().toLowerCase();
  const shown = keys.filter(
    (key) =>
      (wanted === '' ||
        key.name.toLowerCase().includes(wanted) ||
        key.id === wanted ||
        q.trim().endsWith(key.last_four)) &&
      (status === 'any' || key.status.code === status) &&
      (permission === 'any' || key.permissions.includes(permission)) &&
      (creator === null || creatorOf(key) === creator),
  );
  const order = shown.toSorted((one, other) => compared(one, other, sort.key));
  return sort.isDescending ? order.toReversed() : order;
}

function compared(one: ConsoleKey, other: ConsoleKey, key: KeyListState['sort']['key']): number {
  if (key === 'name') return one.name.localeCompare(other.name);
  if (key === 'spent') return one.spent_usd - other.spent_usd;
  const times = { used: 'last_used_at', expires: 'expires_at', created: 'created_at' } as const;
  return (one[times[key]] ?? '').localeCompare(other[times[key]] ?? '');
}

interface KeyFiltersProps {
  readonly keys: readonly ConsoleKey[];
  readonly state: KeyListState;
  readonly onChange: (change: Partial<KeyListState>) => void;
}

export function KeyFilters({ keys, state, onChange }: KeyFiltersProps) {
  const creators = new Map(keys.map((key) => [creatorOf(key), makerText(key.created_by)]));
  return (
    <div className={styles.filters}>
      <SearchInput label="Find a key by name" value={state.q} onChange={(q) => onChange({ q })} />
      <Select
        aria-label="Status"
        value={state.status}
        onChange={(status) => onChange({ status })}
        options={[
          { value: 'any', label: 'Any status' },
          ...KEY_STATES.map((value) => ({ value, label: STATES[value].label })),
        ]}
      />
      <Select
        aria-label="Permission"
        value={state.permission}
        onChange={(permission) => onChange({ permission })}
        options={[
          { value: 'any', label: 'Any permission' },
          ...KEY_PERMISSIONS.map((value) => ({ value, label: `may ${value}` })),
        ]}
      />
      <Select
        aria-label="Creator"
        value={state.creator ?? 'any'}
        onChange={(value) => onChange({ creator: value === 'any' ? null : value })}
        options={[
          { value: 'any', label: 'By anyone' },
          ...[...creators].map(([value, label]) => ({ value, label })),
        ]}
      />
    </div>
  );
}
