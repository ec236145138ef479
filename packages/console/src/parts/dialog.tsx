import { Dialog as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './layer.module.css';
import { useReturnFocus } from './use-return-focus.ts';

export interface DialogProps {
  readonly title: ReactNode;
  /** One sentence below the title. */
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  /** Called before it closes; to keep it open, do not change `isOpen`. */
  readonly onClose: () => void;
  readonly children?: ReactNode;
  /** Buttons, the main one last. */
  readonly footer?: ReactNode;
  readonly isWide?: boolean;
}

/** A modal dialog. The focus returns to what had it before. */
export function Dialog(props: DialogProps) {
  const { title, description, isOpen, onClose, children, footer, isWide = false } = props;
  const focus = useReturnFocus();
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil} />
        <Radix.Content
          {...focus}
          className={classNames(styles.dialog, isWide && styles.wide)}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className={styles.head}>
            <Radix.Title>{title}</Radix.Title>
          </div>
          <div className={classNames(styles.body, 'stack')}>
            {description && <Radix.Description className="soft">{description}</Radix.Description>}
            {children}
          </div>
          {footer && <div className={styles.foot}>{footer}</div>}
          {/* last, so that the focus begins in the content */}
          <Radix.Close asChild>
            <IconButton
              icon="close"
              hasNoTooltip
              label="Close"
              size="small"
              className={styles.close}
            />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the dialog around it. */
export const DialogClose = ({ children }: { readonly children: ReactElement }) => (
  <Radix.Close asChild>{children}</Radix.Close>
);
