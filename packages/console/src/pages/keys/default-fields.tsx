import { Checkbox } from '@trawl/console-parts/parts/choice.tsx';
import { Field } from '@trawl/console-parts/parts/field.tsx';
import { Select } from '@trawl/console-parts/parts/select.tsx';
import type { Tier } from '@trawl/contract';
import { TIERS } from '@trawl/contract/vocabulary';
import type { KeyDraft, Profile } from './key-draft.ts';
import styles from './keys.module.css';

type SearchDefaults = NonNullable<Profile['search']>;

interface DefaultFieldsProps {
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  /** Providers of searches. */
  readonly providers: readonly string[];
}

/** What a key asks for where its requests do not say. What this form does not show stays as it is. */
export function DefaultFields({ draft, onChange, providers }: DefaultFieldsProps) {
  const { search = {}, fetch } = draft.profile;
  const set = (changed: Partial<SearchDefaults>) =>
    onChange({ ...draft, profile: { ...draft.profile, search: { ...search, ...changed } } });
  const chosen = search.providers?.include;
  const choose = (include: readonly string[] | undefined) =>
    set({ providers: { ...search.providers, include: include && [...include] } });
  const isMore = fetch !== undefined || search.filters !== undefined;
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
      {isMore && (
        <p className="soft">
          This key has default filters or defaults of fetches too. They are kept; change them with{' '}
          <code>trawl keys profile</code>.
        </p>
      )}
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
