import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

export interface ButtonLook {
  readonly variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'normal' | 'small';
}

/**
 * The classes of a button, for a link that looks like one:
 * `<Link className={buttonClass({ variant: 'primary' })}>`.
 */
export const buttonClass = ({ variant = 'plain', size = 'normal' }: ButtonLook = {}): string =>
  classNames(
    styles.button,
    variant !== 'plain' && styles[variant],
    size === 'small' && styles.small,
  );

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly icon?: IconName;
  /** Its work is in progress: shows a spinner, and ignores clicks. It keeps the focus. */
  readonly isBusy?: boolean;
}

export function Button({
  variant,
  size,
  icon,
  isBusy = false,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(isBusy ? { 'aria-disabled': true, 'aria-busy': true } : {})}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={classNames(buttonClass({ variant, size } as ButtonLook), className)}
    >
      {isBusy ? <span className={styles.spinner} /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'>, ButtonLook {
  readonly icon: IconName;
  /** Its name, for screen readers and in a tooltip. */
  readonly label: string;
  /** Where everyone knows the icon. */
  readonly hasNoTooltip?: boolean;
}

/** A button that shows an icon only. */
export function IconButton({
  icon,
  label,
  hasNoTooltip = false,
  variant = 'quiet',
  size,
  className,
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={classNames(buttonClass({ variant, size } as ButtonLook), styles.icon, className)}
    >
      <Icon name={icon} />
    </button>
  );
  return hasNoTooltip ? button : <Tooltip text={label}>{button}</Tooltip>;
}
