import type { ReactNode } from 'react';
import { Button } from '../../../parts/button.tsx';
import { classNames } from '../../../parts/class-names.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { ProviderChoice } from './choices.ts';
import styles from './form.module.css';

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
  readonly onToggle: (slug: string) => void;
  readonly onReset: () => void;
}

/** The providers as buttons that are pressed or not. */
export function ProvidersField(props: ProvidersFieldProps) {
  const { legend, hint, chips, isNamed, fault, onToggle, onReset } = props;
  const failing = chips.filter(({ isChosen, lack }) => isChosen && lack !== undefined);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.chips}>
        {chips.map((chip) => (
          <Chip key={chip.slug} chip={chip} onToggle={onToggle} />
        ))}
      </div>
      <div className="spread">
        <p className={styles.hint}>{hint}</p>
        {isNamed && (
          <Button size="small" variant="quiet" onClick={onReset}>
            Use the default
          </Button>
        )}
      </div>
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

function Chip({
  chip,
  onToggle,
}: {
  readonly chip: ProviderChip;
  readonly onToggle: (slug: string) => void;
}) {
  const { slug, name, lack, isChosen, place, price } = chip;
  const remark = lack ?? price;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      className={classNames(styles.chip, isChosen && styles.chosen)}
      title={lack === undefined ? name : `${name} cannot be asked here: ${lack}`}
      onClick={() => onToggle(slug)}
    >
      {place === undefined ? isChosen && <Icon name="check" size={12} /> : <b>{place}</b>}
      <span>{slug}</span>
      {remark && <small>{remark}</small>}
    </button>
  );
}
