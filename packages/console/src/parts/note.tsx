import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './region.module.css';

interface NoteProps {
  readonly tone?: 'info' | 'warn' | 'bad';
  readonly children: ReactNode;
  /** Right of the text. */
  readonly actions?: ReactNode;
  readonly onDismiss?: () => void;
}

/** A remark above or inside of a region: «showing the first 200 rows». */
export function Note({ tone = 'info', children, actions, onDismiss }: NoteProps) {
  return (
    <div className={classNames(styles.note, tone !== 'info' && styles[tone])}>
      <Icon name={tone === 'info' ? 'info' : 'alert'} />
      <div>{children}</div>
      {actions}
      {onDismiss && (
        <IconButton icon="close" hasNoTooltip label="Dismiss" size="small" onClick={onDismiss} />
      )}
    </div>
  );
}
