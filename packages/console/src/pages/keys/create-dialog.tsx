import { call } from '../../api/call.ts';
import { useRefresh } from './key-actions.tsx';
import { bodyOf, type KeyDraft, type ProviderNames } from './key-draft.ts';
import type { Secret } from './secret-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

interface CreateDialogProps {
  readonly project: string;
  readonly draft: KeyDraft;
  readonly providers: ProviderNames;
  readonly onChange: (draft: KeyDraft) => void;
  readonly onMade: (made: Secret) => void;
  readonly onClose: () => void;
}

/** Makes a key. All settings but the name have a default. */
export function CreateDialog({ project, onMade, ...props }: CreateDialogProps) {
  const refresh = useRefresh(project);
  const create = async (draft: KeyDraft) => {
    const { name, secret } = await call('POST /console/api/projects/{project_id}/keys', {
      params: { project_id: project },
      body: bodyOf(draft, Date.now()),
    });
    onMade({ name, secret, permissions: draft.permissions });
    await refresh();
  };
  return (
    <SettingsDialog
      {...props}
      title="New key"
      description="Only the name is needed. Everything can be changed later, except the key itself."
      submitLabel="Create key"
      onSubmit={create}
    />
  );
}
