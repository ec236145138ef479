import { type ComponentProps, useState } from 'react';
import { IconButton } from './button.tsx';
import input from './field.module.css';
import { Field, type FieldTexts } from './field.tsx';
import styles from './password-field.module.css';

type PasswordFieldProps = FieldTexts &
  ComponentProps<'input'> & {
    /** What password managers do with it. */
    readonly autoComplete: 'current-password' | 'new-password' | 'off';
    /** What it is. */
    readonly what?: string;
  };

/** A password or another secret with its label, and a button that shows what was typed. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, hint, error, what = 'password', ...rest } = props;
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className={styles.frame}>
          <input
            {...rest}
            {...control}
            type={isShown ? 'text' : 'password'}
            className={input.input}
            spellCheck={false}
            autoCapitalize="none"
          />
          <IconButton
            icon="eye"
            size="small"
            label={`${isShown ? 'Hide' : 'Show'} the ${what}`}
            onClick={() => setShown(!isShown)}
          />
        </div>
      )}
    </Field>
  );
}
