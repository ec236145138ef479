import { useId } from 'react';
import { classNames } from '../../parts/class-names.ts';
import styles from './form.module.css';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Shown on hover. */
  readonly title?: string;
}

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: Value;
  readonly segments: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** One of a few choices, all visible. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, isLabelHidden = false, value, segments, onChange } = props;
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={isLabelHidden ? 'visually-hidden' : styles.legend}>{label}</legend>
      <div className={styles.segments}>
        {segments.map((segment) => (
          <label
            key={segment.value}
            title={segment.title}
            className={classNames(styles.segment, segment.value === value && styles.chosen)}
          >
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
            />
            {segment.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
