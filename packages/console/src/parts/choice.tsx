import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

interface ChoiceProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly isDisabled?: boolean;
}

/** A label to the right of a box or switch. */
function Labelled({
  id,
  label,
  hint,
  children,
}: ChoiceProps & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className={styles.choice}>
      {children}
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

const described = (id: string, hint: ReactNode) =>
  hint ? { 'aria-describedby': `${id}-hint` } : {};

export interface CheckboxProps extends ChoiceProps {
  /** `mixed`: some of those below it. */
  readonly checked: boolean | 'mixed';
  readonly onChange: (checked: boolean) => void;
}

/** For a choice that takes effect when a form is sent, and for lists of them. */
export function Checkbox({ checked, onChange, isDisabled = false, ...texts }: CheckboxProps) {
  const id = useId();
  return (
    <Labelled id={id} {...texts}>
      <RadixCheckbox.Root
        id={id}
        className={styles.box}
        checked={checked === 'mixed' ? 'indeterminate' : checked}
        disabled={isDisabled}
        onCheckedChange={(next) => onChange(next === true)}
        {...described(id, texts.hint)}
      >
        <span>
          <RadixCheckbox.Indicator>
            <Icon name={checked === 'mixed' ? 'minus' : 'check'} size={12} />
          </RadixCheckbox.Indicator>
        </span>
      </RadixCheckbox.Root>
    </Labelled>
  );
}

export interface SwitchProps extends ChoiceProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** For a choice that takes effect at once. */
export function Switch({ checked, onChange, isDisabled = false, ...texts }: SwitchProps) {
  const id = useId();
  return (
    <Labelled id={id} {...texts}>
      <RadixSwitch.Root
        id={id}
        className={styles.switch}
        checked={checked}
        disabled={isDisabled}
        onCheckedChange={onChange}
        {...described(id, texts.hint)}
      >
        <span className={styles.track}>
          <RadixSwitch.Thumb className={styles.knob} />
        </span>
      </RadixSwitch.Root>
    </Labelled>
  );
}
