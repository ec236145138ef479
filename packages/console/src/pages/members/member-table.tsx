import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Member } from '@trawl/contract/console';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { sessionQuery, stateQuery } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Select } from '../../parts/select.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { Time } from '../../parts/value.tsx';
import { mayReset, roleOptions, type Viewer, whyFixed } from './member-rules.ts';
import { membersQuery } from './members-query.ts';
import { PasswordLinkDialog } from './shown-link.tsx';

const SIGN_IN_WAYS: Readonly<Record<Member['signs_in_with'], string>> = {
  password: 'password',
  single_sign_on: 'single sign-on',
  both: 'password or single sign-on',
  none: 'not signed in yet',
};

interface MemberTableProps {
  readonly project: string;
  readonly members: readonly Member[];
  readonly viewer: Viewer;
}

interface Work {
  readonly kind: 'role' | 'remove' | 'password';
  readonly member: Member;
}

export function MemberTable({ project, members, viewer }: MemberTableProps) {
  const [work, setWork] = useState<Work>();
  const fixed = (member: Member) => whyFixed(member, members, viewer);
  const hasPasswords = useQuery(stateQuery).data?.password_sign_in === true;
  const columns: readonly Column<Member>[] = [
    { key: 'name', title: 'Name', cell: (row) => <NameCell member={row} viewer={viewer} /> },
    {
      key: 'role',
      title: 'Role',
      isLong: true,
      cell: (row) => <RoleCell member={row} reason={fixed(row)} />,
    },
    { key: 'way', title: 'Signs in with', cell: (row) => SIGN_IN_WAYS[row.signs_in_with] },
    { key: 'joined', title: 'Joined', cell: (row) => <Time at={row.joined_at} /> },
    { key: 'seen', title: 'Last seen', cell: (row) => <Time at={row.last_seen_at} none="never" /> },
    {
      key: 'actions',
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (row) =>
        fixed(row) === undefined && (
          <Actions
            member={row}
            viewer={viewer}
            canReset={hasPasswords && mayReset(row, viewer)}
            onChoose={setWork}
          />
        ),
    },
  ];
  const close = () => setWork(undefined);
  return (
    <>
      <Table caption="Members" columns={columns} rows={members} rowKey={(row) => row.id} />
      {work?.kind === 'role' && (
        <RoleDialog project={project} member={work.member} viewer={viewer} onClose={close} />
      )}
      {work?.kind === 'password' && (
        <PasswordLinkDialog project={project} member={work.member} onClose={close} />
      )}
      <RemoveDialog
        project={project}
        member={work?.kind === 'remove' ? work.member : undefined}
        isSelf={work?.member.id === viewer.id}
        onClose={close}
      />
    </>
  );
}

function NameCell({ member, viewer }: { readonly member: Member; readonly viewer: Viewer }) {
  return (
    <div>
      <span className="row">
        {member.name}
        {member.id === viewer.id && <Badge tone="accent">you</Badge>}
      </span>
      <span className="soft">{member.email}</span>
    </div>
  );
}

function RoleCell({
  member,
  reason,
}: {
  readonly member: Member;
  readonly reason: string | undefined;
}) {
  return (
    <div>
      <Badge>{member.is_operator ? 'operator' : member.role}</Badge>
      {reason && <p className="soft">{reason}</p>}
    </div>
  );
}

interface ActionsProps {
  readonly member: Member;
  readonly viewer: Viewer;
  readonly canReset: boolean;
  readonly onChoose: (work: Work) => void;
}

function Actions({ member, viewer, canReset, onChoose }: ActionsProps) {
  const isSelf = member.id === viewer.id;
  if (!viewer.isAdmin) return null;
  return (
    <Menu
      trigger={<IconButton icon="more" size="small" label={`Actions on ${member.name}`} />}
      items={[
        {
          label: 'Change role…',
          icon: 'edit',
          onSelect: () => onChoose({ kind: 'role', member }),
        },
        ...(canReset
          ? [
              {
                label: 'New password link…',
                icon: 'key',
                onSelect: () => onChoose({ kind: 'password', member }),
              } as const,
            ]
          : []),
        {
          label: isSelf ? 'Leave the project…' : 'Remove…',
          icon: 'trash',
          isDanger: true,
          onSelect: () => onChoose({ kind: 'remove', member }),
        },
      ]}
    />
  );
}

interface RemoveDialogProps {
  readonly project: string;
  /** Undefined = closed. */
  readonly member: Member | undefined;
  readonly isSelf: boolean;
  readonly onClose: () => void;
}

function RemoveDialog({ project, member, isSelf, onClose }: RemoveDialogProps) {
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
        params: { project_id: project, user_id: member.id },
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

interface RoleDialogProps {
  readonly project: string;
  readonly member: Member;
  readonly viewer: Viewer;
  readonly onClose: () => void;
}

function RoleDialog({ project, member, viewer, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      call('PATCH /console/api/projects/{project_id}/members/{user_id}', {
        params: { project_id: project, user_id: member.id },
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
        mutation={change}
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
