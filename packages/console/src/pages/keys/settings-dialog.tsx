import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { faultsOf, type KeyDraft, type ProviderNames } from './key-draft.ts';
import { KeyForm } from './key-form.tsx';

export interface SettingsDialogProps {
  readonly title: string;
  readonly description: string;
  /** The verb of the main button. */
  readonly submitLabel: string;
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
  readonly providers: ProviderNames;
  readonly onClose: () => void;
  /** Its result must not hold a key: the cache of mutations keeps it. An error is shown inside. */
  readonly onSubmit: (draft: KeyDraft) => Promise<void>;
}

/**
 * The form of a key in a dialog. What was typed is kept by the page, also when the dialog is closed
 * by accident.
 */
export function SettingsDialog(props: SettingsDialogProps) {
  const { title, description, submitLabel, draft, onChange, providers, onClose, onSubmit } = props;
  const form = useId();
  const [showsFaults, setShowsFaults] = useState(false);
  const faults = faultsOf(draft, Date.now());
  const send = useMutation({ mutationFn: onSubmit });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShowsFaults(true);
    if (Object.keys(faults).length === 0 && !send.isPending) send.mutate(draft);
  };
  return (
    <Dialog
      isOpen
      isWide
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} isBusy={send.isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={form} className="stack" noValidate onSubmit={submit}>
        <KeyForm {...{ draft, onChange, faults, showsFaults, providers }} />
        {send.error && <ErrorNote error={send.error} what="The key was not saved" />}
      </form>
    </Dialog>
  );
}
