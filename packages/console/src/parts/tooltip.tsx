import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './layer.module.css';

const DELAY_MS = 350;

/** Around the app: tooltips share their delay. */
export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={DELAY_MS}>{children}</Radix.Provider>
);

interface TooltipProps {
  readonly text: ReactNode;
  /** One element that can have the focus. */
  readonly children: ReactElement;
}

/** A short text at an element, on hover and focus. Never the only place of a fact. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tooltip} sideOffset={5} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
