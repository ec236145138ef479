import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConsoleSessionRow } from '@trawl/contract/console';
import { useState } from 'react';
import { callApi } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { toast } from '../../../parts/toast.tsx';
import { areaPath } from '../../../shell/navigation.ts';
import { counted, shortId } from '../shared/words.ts';

interface DeleteSessionProps {
  readonly project: string;
  readonly row: ConsoleSessionRow;
}

/** Deletes a session after a confirmation, and goes back to the list. */
export function DeleteSession({ project, row }: DeleteSessionProps) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await callApi(project, 'DELETE /v1/sessions/{session_id}', { params: { session_id: row.id } });
    client.removeQueries({ queryKey: [project, 'session', row.id] });
    await client.invalidateQueries({ queryKey: [project, 'sessions'] });
    toast({ text: `Session ${shortId(row.id)} was deleted` });
    await navigate({ to: areaPath(project, 'sessions') });
  };
  return (
    <>
      <Button icon="trash" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title={`Delete the session ${shortId(row.id)}?`}
        effect={`Its ${counted(row.interaction_count, 'interaction')} with all queries, results and page texts are deleted for everyone. What they cost stays in the usage. This cannot be undone.`}
        confirmLabel="Delete session"
        isDanger
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={remove}
      />
    </>
  );
}
