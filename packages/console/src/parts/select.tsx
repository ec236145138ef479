import styles from './field.module.css';
import { Icon } from './icon.tsx';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly isDisabled?: boolean;
}

export interface SelectProps<Value extends string> {
  /** Its name, if it has no label: see `Field`. */
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly id?: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly SelectOption<Value>[];
  readonly isDisabled?: boolean;
}

/**
 * One of some options: the browser's own control, which every keyboard, phone and screen reader
 * knows. That of Radix hides the rest of the page from screen readers while it is open, though the
 * page can still have the focus.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onChange, options, isDisabled = false, ...control } = props;
  return (
    <span className={styles.select}>
      <select
        {...control}
        className={styles.input}
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled ?? false}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={14} />
    </span>
  );
}
