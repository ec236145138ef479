import type { KeyProfile, Tier } from '@trawl/contract';
import { TIERS } from '@trawl/contract/vocabulary';
import { Checkbox } from '../../parts/choice.tsx';
import { Field, TextField } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { FiltersField } from '../playground/filters-field.tsx';
import type { KeyDraft } from './key-draft.ts';
import styles from './keys.module.css';

type SearchDefaults = NonNullable<KeyProfile['search']>;

interface DefaultFieldsProps {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  /** Providers of searches. */
  readonly providers: readonly string[];
}

/**
 * What a key asks for where its requests do not say. What this form does not show stays as it is.
 */
export function DefaultFields({ draft, onChange, providers }: DefaultFieldsProps) {
  const { search = {}, fetch } = draft.profile;
  const set = (changed: Partial<SearchDefaults>) =>
    onChange({ ...draft, profile: { ...draft.profile, search: { ...search, ...changed } } });
  const setFetchTier = (tier: Tier | undefined) =>
    onChange({ ...draft, profile: { ...draft.profile, fetch: { ...fetch, tier } } });
  const chosen = search.providers?.include;
  const choose = (include: readonly string[] | undefined) =>
    set({ providers: { ...search.providers, include: include && [...include] } });
  return (
    <>
      <p className="soft">Used where a request does not say. What a request says wins.</p>
      <Checkbox
        label="The server’s default providers"
        checked={chosen === undefined}
        onChange={(isDefault) => choose(isDefault ? undefined : [])}
      />
      {chosen && (
        <div className={styles.choices}>
          {[...new Set([...providers, ...chosen])].map((name) => (
            <Checkbox
              key={name}
              label={`Search ${name}`}
              checked={chosen.includes(name)}
              onChange={(isOn) =>
                choose(isOn ? [...chosen, name] : chosen.filter((each) => each !== name))
              }
            />
          ))}
        </div>
      )}
      <Field label="Tier of searches">
        {(control) => (
          <Select
            {...control}
            value={search.tier ?? ''}
            options={TIER_OPTIONS}
            onChange={(tier) => set({ tier: tier === '' ? undefined : tier })}
          />
        )}
      </Field>
      <Field label="Fallback" hint="Other providers for a query of which no run succeeded.">
        {(control) => (
          <Select
            {...control}
            value={fallbackWord(search.fallback)}
            options={fallbackOptions(search.fallback)}
            onChange={(word) => {
              if (word !== 'list') set({ fallback: word === '' ? undefined : word });
            }}
          />
        )}
      </Field>
      <FiltersField
        request={{ mode: 'search', body: { search } }}
        error={undefined}
        onChange={({ body }) => set({ filters: (body.search as SearchDefaults)?.filters })}
      />
      <Field label="Tier of fetches">
        {(control) => (
          <Select
            {...control}
            value={fetch?.tier ?? ''}
            options={TIER_OPTIONS}
            onChange={(tier) => setFetchTier(tier === '' ? undefined : tier)}
          />
        )}
      </Field>
      <TextField
        label="Providers of fetches"
        hint="In turn, with commas between them. Empty = as the server is set up."
        value={draft.fetchChain}
        onChange={({ target }) => onChange({ ...draft, fetchChain: target.value })}
      />
    </>
  );
}

const TIER_OPTIONS: readonly { readonly value: Tier | ''; readonly label: string }[] = [
  { value: '', label: 'As requests say, or default' },
  ...TIERS.map((tier) => ({ value: tier, label: tier })),
];

type FallbackWord = '' | 'auto' | 'off' | 'list';

const fallbackWord = (fallback: SearchDefaults['fallback']): FallbackWord =>
  typeof fallback === 'object' ? 'list' : (fallback ?? '');

/** A list that the command line set can be kept or replaced here. */
const fallbackOptions = (fallback: SearchDefaults['fallback']) => [
  ...FALLBACK_OPTIONS,
  ...(typeof fallback === 'object'
    ? [{ value: 'list' as const, label: `First ${fallback.join(', then ')}` }]
    : []),
];

const FALLBACK_OPTIONS: readonly { readonly value: FallbackWord; readonly label: string }[] = [
  { value: '', label: 'As the server is set up' },
  { value: 'auto', label: 'auto' },
  { value: 'off', label: 'off' },
];
