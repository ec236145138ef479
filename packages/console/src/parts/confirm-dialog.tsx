import { AlertDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Checkbox } from './choice.tsx';
import { classNames } from './class-names.ts';
import { ErrorNote } from './error-note.tsx';
import { TextField } from './field.tsx';
import styles from './layer.module.css';
import { useReturnFocus } from './use-return-focus.ts';

export interface ConfirmDialogProps {
  /** What is done and to what: «Delete the key ci?». */
  readonly title: ReactNode;
  /** What the effect is, and whether it can be undone. */
  readonly effect: ReactNode;
  /** The verb: «Delete key». */
  readonly confirmLabel: string;
  /** A name that the person types first, for what cannot be undone. */
  readonly typedName?: string;
  /** A sentence that the person ticks first. */
  readonly tickLabel?: string;
  readonly isDanger?: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Closes when it succeeds. An error is shown inside. */
  readonly onConfirm: () => Promise<unknown>;
  readonly children?: ReactNode;
}

/** Asks before something that is hard to undo. The safe button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, effect, isOpen, onClose, children, typedName } = props;
  const focus = useReturnFocus();
  const [isBusy, setBusy] = useState(false);
  return (
    // what was confirmed goes on: closing would look as if it were cancelled
    <AlertDialog.Root open={isOpen} onOpenChange={(next) => !next && !isBusy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.veil} />
        <AlertDialog.Content {...focus} className={styles.dialog}>
          <div className={styles.head}>
            <AlertDialog.Title>{title}</AlertDialog.Title>
          </div>
          <div className={classNames(styles.body, 'stack')}>
            <AlertDialog.Description>{effect}</AlertDialog.Description>
            {children}
          </div>
          <Choice key={`${isOpen} ${typedName}`} {...props} isBusy={isBusy} setBusy={setBusy} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

interface ChoiceProps extends ConfirmDialogProps {
  readonly isBusy: boolean;
  readonly setBusy: (isBusy: boolean) => void;
}

function Choice(props: ChoiceProps) {
  const { confirmLabel, typedName, tickLabel, isDanger, onClose, onConfirm } = props;
  const { isBusy, setBusy } = props;
  const [typed, setTyped] = useState('');
  const [isTicked, setTicked] = useState(false);
  const [error, setError] = useState<unknown>();
  const isReady =
    (typedName === undefined || typed.trim() === typedName) &&
    (tickLabel === undefined || isTicked);
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div className={classNames(styles.body, 'stack')}>
        {tickLabel !== undefined && (
          <Checkbox label={tickLabel} checked={isTicked} onChange={setTicked} />
        )}
        {typedName !== undefined && (
          <TextField
            label={`Type ${typedName} to confirm`}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {error !== undefined && <ErrorNote error={error} />}
      </div>
      <div className={styles.foot}>
        <AlertDialog.Cancel asChild>
          <Button disabled={isBusy}>Cancel</Button>
        </AlertDialog.Cancel>
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          disabled={!isReady}
          isBusy={isBusy}
          onClick={confirm}
        >
          {confirmLabel}
        </Button>
      </div>
    </>
  );
}
