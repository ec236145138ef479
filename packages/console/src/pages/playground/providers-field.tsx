import { type ReactNode, useId, useRef } from 'react';
import { Button } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { Icon } from '../../parts/icon.tsx';
import { Select } from '../../parts/select.tsx';
import styles from './form.module.css';
import type { ProviderChoice } from './provider-choices.ts';

export interface ProviderChip extends ProviderChoice {
  readonly price?: string | undefined;
}

interface ProvidersFieldProps {
  readonly legend: string;
  readonly hint: ReactNode;
  readonly chips: readonly ProviderChip[];
  /** Whether the request names providers. */
  readonly isNamed: boolean;
  readonly fault: string | undefined;
  readonly onAdd: (slug: string) => void;
  readonly onRemove: (slug: string) => void;
  readonly onReset: () => void;
}

/** The chosen providers, each of which can be removed, and all others to choose from. */
export function ProvidersField(props: ProvidersFieldProps) {
  const { legend, hint, chips, isNamed, fault, onAdd, onRemove, onReset } = props;
  const id = useId();
  const field = useRef<HTMLFieldSetElement>(null);
  const chosen = chips
    .filter(({ isChosen }) => isChosen)
    .toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));
  // one of the default chain can begin a chain of its own
  const offered = chips.filter(({ isChosen, place }) => !isChosen || (place && !isNamed));
  const failing = chosen.filter(({ lack }) => lack !== undefined);
  const remove = (slug: string) => {
    onRemove(slug);
    // its button goes away with it
    field.current?.querySelector('select')?.focus();
  };
  return (
    <fieldset ref={field} className={styles.group} aria-describedby={`${id}-hint`}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.chips}>
        {chosen.map((chip) => (
          <Chip key={chip.slug} chip={chip} onRemove={remove} />
        ))}
        <Select
          aria-label={`Add to ${legend.toLowerCase()}`}
          value=""
          onChange={onAdd}
          options={[{ value: '', label: 'Add…' }, ...offered.map(optionOf)]}
        />
        {isNamed && (
          <Button size="small" variant="quiet" onClick={onReset}>
            Use the default
          </Button>
        )}
      </div>
      <p className={styles.hint} id={`${id}-hint`}>
        {hint}
      </p>
      {failing.length > 0 && (
        <p className={styles.lack}>
          Cannot be asked here: {failing.map(({ slug, lack }) => `${slug} (${lack})`).join(', ')}.
        </p>
      )}
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

function optionOf({ slug, lack, price }: ProviderChip) {
  const remark = lack ?? price;
  return { value: slug, label: remark === undefined ? slug : `${slug} (${remark})` };
}

interface ChipProps {
  readonly chip: ProviderChip;
  readonly onRemove: (slug: string) => void;
}

function Chip({ chip: { slug, name, lack, place, price }, onRemove }: ChipProps) {
  const remark = lack ?? price;
  return (
    <button
      type="button"
      className={classNames(styles.chip, styles.chosen)}
      title={lack === undefined ? `Remove ${name}` : `${name} cannot be asked here: ${lack}`}
      onClick={() => onRemove(slug)}
    >
      {place !== undefined && <b>{place}</b>}
      <span>{slug}</span>
      {remark && <small>{remark}</small>}
      <Icon name="close" size={12} />
      <span className="visually-hidden">, remove</span>
    </button>
  );
}
