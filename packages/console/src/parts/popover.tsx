import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './layer.module.css';

export interface PopoverProps {
  /** Its name for screen readers. */
  readonly label: string;
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
}

/** A small form or explanation at a button. */
export function Popover({ label, trigger, children, align = 'start' }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          className={styles.popover}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
