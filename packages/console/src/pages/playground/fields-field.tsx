import {
  DEFAULT_TIER,
  FETCH_TIER_ADDS,
  fieldsOfTier,
  RESULT_FIELDS,
  TIER_ADDS,
  TIERS,
  type Tier,
} from '@trawl/contract/vocabulary';
import { Checkbox } from '../../parts/choice.tsx';
import { type Mode, namesOf } from './draft.ts';
import styles from './form.module.css';
import { Segmented } from './segmented.tsx';

type Choice = Tier | 'fields';

interface FieldsFieldProps {
  readonly mode: Mode;
  readonly tier: unknown;
  readonly fields: unknown;
  readonly fault: string | undefined;
  readonly onChange: (change: {
    readonly tier: Tier | undefined;
    readonly fields: readonly string[] | undefined;
  }) => void;
}

/** What rows hold: a tier, or for a search some fields by name. */
export function FieldsField({ mode, tier, fields, fault, onChange }: FieldsFieldProps) {
  const named = mode === 'search' ? namesOf(fields) : undefined;
  const current = TIERS.find((each) => each === tier) ?? DEFAULT_TIER;
  const adds: Readonly<Record<Tier, readonly string[]>> =
    mode === 'search' ? TIER_ADDS : FETCH_TIER_ADDS;
  const choose = (choice: Choice) => {
    if (choice === 'fields') onChange({ tier: undefined, fields: fieldsOfTier(current) });
    else onChange({ tier: choice, fields: undefined });
  };
  return (
    <div className="stack-tight">
      <Segmented<Choice>
        label="Tier"
        value={named ? 'fields' : current}
        onChange={choose}
        segments={[
          ...TIERS.map((each) => ({
            value: each,
            label: each,
            title: `${each} adds ${adds[each].join(', ')}`,
          })),
          ...(mode === 'search'
            ? [{ value: 'fields' as const, label: 'by name', title: 'Choose each field' }]
            : []),
        ]}
      />
      {named ? (
        <FieldBoxes
          named={named}
          onChange={(next) => onChange({ tier: undefined, fields: next })}
        />
      ) : (
        <p className={styles.hint}>
          <strong>{current}</strong> adds {adds[current].join(', ')}
          {current === TIERS[0] ? '.' : ' to the tiers before it.'}
        </p>
      )}
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

function FieldBoxes({
  named,
  onChange,
}: {
  readonly named: readonly string[];
  readonly onChange: (fields: readonly string[]) => void;
}) {
  const known: readonly string[] = RESULT_FIELDS;
  const others = named.filter((name) => !known.includes(name));
  return (
    <fieldset className={styles.boxes}>
      <legend className="visually-hidden">Fields</legend>
      {[...known, ...others].map((field) => (
        <Checkbox
          key={field}
          label={field}
          checked={named.includes(field)}
          onChange={(isOn) =>
            onChange(isOn ? [...named, field] : named.filter((name) => name !== field))
          }
        />
      ))}
    </fieldset>
  );
}
