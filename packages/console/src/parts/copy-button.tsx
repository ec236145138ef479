import { type ReactNode, useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './copy.module.css';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: string | (() => string);
  /** What is copied, for its name: «Copy the id». */
  readonly label: string;
  /** Shown next to the icon; without it the button is an icon. */
  readonly children?: ReactNode;
  readonly size?: 'normal' | 'small';
}

type Outcome = 'none' | 'copied' | 'failed';
const OUTCOMES: Readonly<Record<Outcome, string>> = {
  none: '',
  copied: 'Copied',
  failed: 'The browser did not allow to copy',
};

/** Copies a text, and says so to screen readers too. */
export function CopyButton({ text, label, children, size = 'small' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('none');
  useEffect(() => {
    if (outcome === 'none') return undefined;
    const timer = setTimeout(() => setOutcome('none'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    const isCopied = await copyText(typeof text === 'string' ? text : text());
    setOutcome(isCopied ? 'copied' : 'failed');
  };
  const icon = outcome === 'copied' ? 'check' : 'copy';
  return (
    <>
      {children ? (
        <Button icon={icon} size={size} onClick={copy} aria-label={label}>
          {outcome === 'copied' ? 'Copied' : children}
        </Button>
      ) : (
        <IconButton icon={icon} label={label} size={size} onClick={copy} />
      )}
      <span className="visually-hidden" aria-live="polite">
        {OUTCOMES[outcome]}
      </span>
    </>
  );
}

/** @returns whether the browser allowed it; it does only on pages of https and of this machine */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For a console at a plain address of a network, where the clipboard is closed to scripts. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  const focused = document.activeElement;
  // inside of an open dialog, which takes the focus back from anything outside
  (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

interface CopyableIdProps {
  readonly id: string;
  /** What it names: «session id». */
  readonly what: string;
  /** Shown instead of the whole id. */
  readonly children?: ReactNode;
}

/** An id with a button that copies it. */
export const CopyableId = ({ id, what, children }: CopyableIdProps) => (
  <span className={styles.id}>
    <span className={classNames('mono', 'cut')} title={id}>
      {children ?? id}
    </span>
    <CopyButton text={id} label={`Copy the ${what}`} />
  </span>
);
