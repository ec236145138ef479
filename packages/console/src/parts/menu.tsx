import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './layer.module.css';

export interface MenuItem {
  readonly label: ReactNode;
  readonly icon?: IconName;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** A tick in front of it. */
  readonly isChecked?: boolean;
}

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly items: readonly (MenuItem | 'separator')[];
  readonly label?: ReactNode;
  readonly align?: 'start' | 'end';
}

/** Actions on one thing. */
export function Menu({ trigger, items, label, align = 'end' }: MenuProps) {
  const chosen = useRef<MenuItem | undefined>(undefined);
  const choose = () => {
    const item = chosen.current;
    chosen.current = undefined;
    // later, when the trigger has the focus again: a dialog returns it there
    if (item) setTimeout(item.onSelect);
  };
  return (
    // not modal: the page behind it stays readable for screen readers
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={choose}
        >
          {label && <Radix.Label className={styles.label}>{label}</Radix.Label>}
          {items.map((item, index) =>
            item === 'separator' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: items are a fixed list
              <Radix.Separator key={index} className={styles.separator} />
            ) : (
              <Radix.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: items are a fixed list
                key={index}
                className={classNames(styles.item, item.isDanger && styles.danger)}
                disabled={item.isDisabled ?? false}
                {...(item.isChecked === undefined
                  ? {}
                  : { role: 'menuitemcheckbox', 'aria-checked': item.isChecked })}
                onSelect={() => {
                  chosen.current = item;
                }}
              >
                {item.icon && <Icon name={item.icon} />}
                {item.isChecked !== undefined && (
                  <span className={styles.mark}>{item.isChecked && <Icon name="check" />}</span>
                )}
                {item.label}
              </Radix.Item>
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
