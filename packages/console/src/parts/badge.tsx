import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A short word about a thing. */
export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone])}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  );
}

const STATUS_ICONS: Readonly<Record<Tone, IconName>> = {
  neutral: 'circle',
  good: 'check',
  warn: 'alert',
  bad: 'close',
  accent: 'dot',
};

/** How a thing is. Never by colour only: each tone has an icon. */
export const Status = ({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) => (
  <Badge tone={tone} icon={STATUS_ICONS[tone]}>
    {children}
  </Badge>
);
