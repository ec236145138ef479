import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ConsoleCall, ConsoleKey } from '@trawl/contract/console';
import { GRACE_MINUTES, type GracePeriod, isAdminKey } from '@trawl/contract/vocabulary';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/error.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Field } from '../../parts/field.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { Select } from '../../parts/select.tsx';
import { toast } from '../../parts/toast.tsx';
import {
  changesOf,
  draftOf,
  type KeyDraft,
  type ProviderNames,
  permissionsOf,
} from './key-draft.ts';
import { isAlive } from './key-query.ts';
import { GRACE_OPTIONS } from './key-words.ts';
import type { NewKey } from './secret-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

export interface KeyActionsProps {
  readonly project: string;
  readonly value: ConsoleKey;
  readonly providers: ProviderNames;
  readonly trigger: ReactElement;
  readonly onMade: (made: NewKey) => void;
  /** Called after the key was deleted. */
  readonly onDeleted?: () => void;
}

type Opened = 'none' | 'edit' | 'rotate' | 'disable' | 'delete';

/**
 * What an admin can do with a key: a menu, and a dialog for each choice. A key of the operator API
 * is managed on the server's machine, and an operator can only end it here.
 */
export function KeyActions({ trigger, ...props }: KeyActionsProps) {
  const { value: key } = props;
  const [opened, setOpened] = useState<Opened>('none');
  const refresh = useRefresh(props.project);
  const enable = useMutation({
    mutationFn: async () => {
      await changeKey(props, { disabled: false });
      await refresh();
      toast({ text: `The key ${key.name} is enabled.` });
    },
    onError: (error) =>
      toast({ text: `The key was not enabled: ${describeError(error).detail}`, tone: 'bad' }),
  });
  const { person } = useSession();
  if (isAdminKey(key) && !person.is_operator) return null;
  const disable: MenuItem = {
    label: 'Disable',
    icon: 'stop',
    onSelect: () => setOpened('disable'),
  };
  const remove: MenuItem = {
    label: 'Delete',
    icon: 'trash',
    isDanger: true,
    onSelect: () => setOpened('delete'),
  };
  const settings: (MenuItem | 'separator')[] = [
    { label: 'Change settings', icon: 'edit', onSelect: () => setOpened('edit') },
    {
      label: 'Rotate',
      icon: 'refresh',
      isDisabled:
        !isAlive(key) || key.disabled || key.replaced_by !== null || key.login_client !== null,
      onSelect: () => setOpened('rotate'),
    },
    key.disabled ? { label: 'Enable', icon: 'play', onSelect: () => enable.mutate() } : disable,
    'separator',
    remove,
  ];
  const endings = key.disabled ? [remove] : [disable, remove];
  return (
    <>
      <Menu trigger={trigger} items={isAdminKey(key) ? endings : settings} />
      <Opened {...props} opened={opened} refresh={refresh} onClose={() => setOpened('none')} />
    </>
  );
}

interface OpenedProps extends Omit<KeyActionsProps, 'trigger'> {
  readonly opened: Opened;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

function Opened(props: OpenedProps) {
  const { value: key, opened, refresh, onClose, project, onMade } = props;
  const deleteKey = async () => {
    const params = { project_id: project, key_id: key.id };
    await call('DELETE /console/api/projects/{project_id}/keys/{key_id}', { params });
    toast({ text: `The key ${key.name} is deleted.` });
    props.onDeleted?.();
    await refresh();
  };
  const disableKey = async () => {
    await changeKey(props, { disabled: true });
    await refresh();
  };
  return (
    <>
      {opened === 'edit' && <EditDialog {...props} />}
      {opened === 'rotate' && (
        <RotateDialog {...{ project, value: key, onClose, onMade, refresh }} />
      )}
      <ConfirmDialog
        isOpen={opened === 'disable'}
        title={`Disable the key ${key.name}?`}
        effect={`Its requests are refused within a second. ${isAdminKey(key) ? 'It is enabled again on the server’s machine only.' : 'You can enable it again.'}`}
        confirmLabel="Disable key"
        onConfirm={disableKey}
        onClose={onClose}
      />
      <ConfirmDialog
        isOpen={opened === 'delete'}
        isDanger
        title={`Delete the key ${key.name}?`}
        effect="Its requests are refused within a second, and it is listed no more. This cannot be undone. What it was used for stays in usage and sessions."
        tickLabel="I know that programs with this key stop working"
        confirmLabel="Delete key"
        onConfirm={deleteKey}
        onClose={onClose}
      />
    </>
  );
}

function EditDialog({ value: key, providers, refresh, onClose, project }: OpenedProps) {
  const [before] = useState(() => draftOf(key));
  const [draft, setDraft] = useState<KeyDraft>(before);
  const save = async (changed: KeyDraft) => {
    await changeKey({ project, value: key }, changesOf(before, changed, Date.now()));
    await refresh();
    onClose();
  };
  return (
    <SettingsDialog
      title={`Settings of ${key.name}`}
      description="Changes reach running servers within a second."
      submitLabel="Save"
      draft={draft}
      onChange={setDraft}
      providers={providers}
      onClose={onClose}
      onSubmit={save}
    />
  );
}

type Change = NonNullable<ConsoleCall<'changeKey'>['body']>;

const changeKey = (
  { project, value: key }: Pick<KeyActionsProps, 'project' | 'value'>,
  body: Change,
): Promise<void> =>
  call('PATCH /console/api/projects/{project_id}/keys/{key_id}', {
    params: { project_id: project, key_id: key.id },
    body,
  });

/** Reads the keys of the project again. */
export function useRefresh(project: string): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [project, 'keys'] });
}

interface RotateDialogProps {
  readonly project: string;
  readonly value: ConsoleKey;
  readonly refresh: () => Promise<void>;
  readonly onMade: (made: NewKey) => void;
  readonly onClose: () => void;
}

/** Replaces a key by a new one, which is then shown once. */
function RotateDialog({ project, value: key, refresh, onMade, onClose }: RotateDialogProps) {
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
      onMade({ name, secret, permissions: permissionsOf(key) });
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

/** Said where the old key ends automatically before the grace period does. */
function ownEnd({ expires_at: expires }: ConsoleKey, grace: GracePeriod): string | undefined {
  const ends = Date.now() + GRACE_MINUTES[grace] * 60_000;
  if (expires === null || Date.parse(expires) > ends) return undefined;
  return 'It expires before that automatically.';
}
