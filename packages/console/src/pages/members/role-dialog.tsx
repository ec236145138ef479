import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Member } from '@trawl/contract/console';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Select } from '../../parts/select.tsx';
import { toast } from '../../parts/toast.tsx';
import type { Viewer } from './member-rules.ts';
import { membersQuery } from './members-query.ts';
import { roleOptions } from './role-texts.ts';

interface RoleDialogProps {
  readonly project: string;
  readonly member: Member;
  readonly viewer: Viewer;
  readonly onClose: () => void;
}

export function RoleDialog({ project, member, viewer, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      call('PATCH /console/api/projects/{project_id}/members/{user_id}', {
        params: { project_id: project, user_id: member.user_id },
        body: { role },
      }),
    onSuccess: async () => {
      toast({ text: `${member.name} is ${role} now.` });
      await client.invalidateQueries(membersQuery(project));
      // the person may have changed their own role
      await client.invalidateQueries(sessionQuery);
      onClose();
    },
  });
  return (
    <Dialog title={`The role of ${member.name}`} isOpen onClose={onClose}>
      <Form
        what="The role was not changed"
        submitLabel="Change role"
        fields={['role']}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={() => change.mutate()}
      >
        <Field label="Role" hint="It takes effect with the person's next step.">
          {(control) => (
            <Select
              {...control}
              value={role}
              onChange={setRole}
              options={roleOptions(viewer.isOwner)}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  );
}
