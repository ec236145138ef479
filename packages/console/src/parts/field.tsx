import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

/** What a control needs so that its label, hint and error belong to it. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

export interface FieldTexts {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with the value, and what to write instead. */
  readonly error?: ReactNode;
  /** Shown after the label of a field that may stay empty. */
  readonly isOptional?: boolean;
}

interface FieldProps extends FieldTexts {
  readonly children: (control: ControlProps) => ReactNode;
}

/** A label, a control, a hint and an error that belong together. */
export function Field({ label, hint, error, isOptional = false, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {isOptional && <span className={styles.required}> (optional)</span>}
      </label>
      {children({
        id,
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <Icon name="alert" size={14} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

const textsOf = ({ label, hint, error, isOptional }: FieldTexts): FieldTexts => ({
  label,
  hint,
  error,
  ...(isOptional === undefined ? {} : { isOptional }),
});

/** A line of text with its label. */
export function TextField(props: FieldTexts & ComponentProps<'input'>) {
  const { label, hint, error, isOptional, className, ...rest } = props;
  return (
    <Field {...textsOf(props)}>
      {(control) => (
        <input type="text" {...rest} {...control} className={classNames(styles.input, className)} />
      )}
    </Field>
  );
}

/** Some lines of text with their label. */
export function TextArea(props: FieldTexts & ComponentProps<'textarea'>) {
  const { label, hint, error, isOptional, className, ...rest } = props;
  return (
    <Field {...textsOf(props)}>
      {(control) => (
        <textarea {...rest} {...control} className={classNames(styles.input, className)} />
      )}
    </Field>
  );
}

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  /** Its name for screen readers, also shown while it is empty. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The search of a page. `/` moves the focus to it. */
export function SearchInput({ label, value, onChange, className, ...rest }: SearchInputProps) {
  return (
    <div className={classNames(styles.search, className)}>
      <Icon name="search" size={14} />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        spellCheck={false}
        autoComplete="off"
        {...rest}
        className={styles.input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
