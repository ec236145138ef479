import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Member } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { membersQuery } from './members-query.ts';

interface RemoveDialogProps {
  readonly project: string;
  /** Undefined = closed. */
  readonly member: Member | undefined;
  readonly isSelf: boolean;
  readonly onClose: () => void;
}

export function RemoveDialog({ project, member, isSelf, onClose }: RemoveDialogProps) {
  const remove = useRemoval(project, isSelf);
  return (
    <ConfirmDialog
      title={isSelf ? 'Leave this project?' : `Remove ${member?.name ?? ''}?`}
      effect={
        isSelf
          ? 'You do not see the project any more. To come back, you need an invitation.'
          : `${member?.email ?? ''} does not see the project any more. Keys that the person made keep working: disable them if they should not.`
      }
      confirmLabel={isSelf ? 'Leave the project' : 'Remove'}
      isDanger
      isOpen={member !== undefined}
      onClose={onClose}
      onConfirm={async () => member && remove.mutateAsync(member)}
    />
  );
}

function useRemoval(project: string, isSelf: boolean) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (member: Member) =>
      call('DELETE /console/api/projects/{project_id}/members/{user_id}', {
        params: { project_id: project, user_id: member.user_id },
      }),
    onSuccess: async (_, { name }) => {
      if (!isSelf) {
        toast({ text: `${name} is not a member any more.` });
        return client.invalidateQueries(membersQuery(project));
      }
      await client.invalidateQueries(sessionQuery);
      return navigate({ to: '/projects' });
    },
  });
}
