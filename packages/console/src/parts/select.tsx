import { getNonce } from 'get-nonce';
import { Select as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import field from './field.module.css';
import { Icon } from './icon.tsx';
import layer from './layer.module.css';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
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

/** One of some options. Not for the empty text: give «any» a value of its own. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onChange, options, isDisabled = false, ...control } = props;
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      disabled={isDisabled}
    >
      <Radix.Trigger className={field.select} {...control}>
        <Radix.Value />
        <Icon name="chevron-down" size={14} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={layer.menu} position="popper" sideOffset={4}>
          <Radix.Viewport nonce={getNonce()}>
            {options.map(({ value: each, label, isDisabled: isOff = false }) => (
              <Radix.Item key={each} value={each} disabled={isOff} className={layer.item}>
                <span className={layer.mark}>
                  <Radix.ItemIndicator>
                    <Icon name="check" size={14} />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
