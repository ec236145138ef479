import { useEffect, useSyncExternalStore } from 'react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './toast.module.css';

export interface Toast {
  readonly text: string;
  readonly tone?: 'neutral' | 'bad';
  /** Such as undo. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface Shown extends Toast {
  readonly id: number;
}

const SHOWN_MS = 6_000;
let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Says what was done. Never the only copy of an error: that stays where the work was. */
export function toast(added: Toast): void {
  lastId += 1;
  show([...shown, { ...added, id: lastId }].slice(-3));
}

const remove = (id: number): void => show(shown.filter((each) => each.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear. Once, in the root of the app. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div className={styles.toasts} role="status" data-toasts>
      {toasts.map((each) => (
        <ToastRow key={each.id} toast={each} />
      ))}
    </div>
  );
}

function ToastRow({ toast: { id, text, tone, action } }: { readonly toast: Shown }) {
  useEffect(() => {
    const timer = setTimeout(() => remove(id), action ? SHOWN_MS * 2 : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, action]);
  const act = () => {
    action?.run();
    remove(id);
  };
  return (
    <div className={classNames(styles.toast, tone === 'bad' && styles.bad)}>
      <p>{text}</p>
      {action && (
        <Button size="small" onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton
        icon="close"
        hasNoTooltip
        label="Dismiss"
        size="small"
        onClick={() => remove(id)}
      />
    </div>
  );
}
