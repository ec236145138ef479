import { useMutation } from '@tanstack/react-query';
import type { ConsoleKey } from '@trawl/contract/console';
import { GRACE_MINUTES, type GracePeriod } from '@trawl/contract/vocabulary';
import { type FormEvent, useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Field } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { GRACE_OPTIONS } from './key-words.ts';
import type { Secret } from './secret-dialog.tsx';

interface RotateDialogProps {
  readonly project: string;
  readonly value: ConsoleKey;
  readonly refresh: () => Promise<void>;
  readonly onMade: (made: Secret) => void;
  readonly onClose: () => void;
}

/** Replaces a key by a new one, which is then shown once. */
export function RotateDialog({ project, value: key, refresh, onMade, onClose }: RotateDialogProps) {
  const form = useId();
  const [grace, setGrace] = useState<GracePeriod>('24h');
  const [isTicked, setTicked] = useState(false);
  // without a result: the cache of mutations must not hold a key
  const rotate = useMutation({
    mutationFn: async () => {
      const { name, secret } = await call(
        'POST /console/api/projects/{project_id}/keys/{key_id}/rotate',
        { params: { project_id: project, key_id: key.id }, body: { grace } },
      );
      onClose();
      onMade({ name, secret, permissions: key.permissions });
      await refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTicked && !rotate.isPending) rotate.mutate();
  };
  return (
    <Dialog
      isOpen
      title={`Rotate the key ${key.name}`}
      description="A new key with the same settings replaces it. Its monthly budget starts with nothing spent."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            disabled={!isTicked}
            isBusy={rotate.isPending}
          >
            Rotate key
          </Button>
        </>
      }
    >
      <form id={form} className="stack" onSubmit={submit}>
        <Field label="The old key stays valid for" hint={ownEnd(key, grace)}>
          {(control) => (
            <Select {...control} value={grace} onChange={setGrace} options={GRACE_OPTIONS} />
          )}
        </Field>
        <Checkbox
          label="I know that programs with the old key stop working then"
          checked={isTicked}
          onChange={setTicked}
        />
        {rotate.error && <ErrorNote error={rotate.error} what="The key was not rotated" />}
      </form>
    </Dialog>
  );
}

/** Said where the old key ends by itself before the grace period does. */
function ownEnd({ expires_at: expires }: ConsoleKey, grace: GracePeriod): string | undefined {
  const ends = Date.now() + GRACE_MINUTES[grace] * 60_000;
  if (expires === null || Date.parse(expires) > ends) return undefined;
  return 'It expires before that by itself.';
}
