import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Invitation } from '@trawl/contract/console';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Badge, Status } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Section } from '../../parts/section.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { NotReported, Time } from '../../parts/value.tsx';
import type { Viewer } from './member-rules.ts';
import { membersQuery } from './members-query.ts';
import { type InvitationLink, InvitationLinkView } from './shown-link.tsx';

const FACTS: readonly Column<Invitation>[] = [
  { key: 'email', title: 'E-mail', isLong: true, cell: ({ email }) => email },
  { key: 'role', title: 'Role', cell: ({ role }) => <Badge>{role}</Badge> },
  {
    key: 'by',
    title: 'Invited by',
    cell: ({ invited_by: by }) => by ?? <NotReported />,
  },
  { key: 'created', title: 'Invited', cell: (row) => <Time at={row.created_at} /> },
  {
    key: 'expires',
    title: 'Ends',
    cell: (row) =>
      row.is_expired ? <Status tone="warn">expired</Status> : <Time at={row.expires_at} />,
  },
];

interface Work {
  readonly kind: 'renew' | 'revoke';
  readonly invitation: Invitation;
}

interface InvitationTableProps {
  readonly project: string;
  readonly invitations: readonly Invitation[];
  readonly viewer: Viewer;
}

/** Invitations that were not accepted yet. */
export function InvitationTable({ project, invitations, viewer }: InvitationTableProps) {
  const [work, setWork] = useState<Work>();
  const actions: Column<Invitation> = {
    key: 'actions',
    title: 'Actions',
    isTitleHidden: true,
    align: 'right',
    cell: (invitation) =>
      (viewer.isOwner || invitation.role !== 'owner') && (
        <Menu
          trigger={<IconButton icon="more" size="small" label={`Actions on ${invitation.email}`} />}
          items={[
            {
              label: 'New link…',
              icon: 'link',
              onSelect: () => setWork({ kind: 'renew', invitation }),
            },
            {
              label: 'Revoke…',
              icon: 'trash',
              isDanger: true,
              onSelect: () => setWork({ kind: 'revoke', invitation }),
            },
          ]}
        />
      ),
  };
  const close = () => setWork(undefined);
  const of = (kind: Work['kind']) => (work?.kind === kind ? work.invitation : undefined);
  return (
    <Section title="Invitations">
      {invitations.length === 0 ? (
        <p className="soft">No invitation is open.</p>
      ) : (
        <Table
          caption="Open invitations"
          columns={viewer.isAdmin ? [...FACTS, actions] : FACTS}
          rows={invitations}
          rowKey={({ id }) => id}
        />
      )}
      <RenewDialog project={project} invitation={of('renew')} onClose={close} />
      <RevokeDialog project={project} invitation={of('revoke')} onClose={close} />
    </Section>
  );
}

interface WorkDialogProps {
  readonly project: string;
  /** Undefined = closed. */
  readonly invitation: Invitation | undefined;
  readonly onClose: () => void;
}

function RenewDialog({ project, invitation, onClose }: WorkDialogProps) {
  const [made, setMade] = useState<{ readonly email: string; readonly link: InvitationLink }>();
  const client = useQueryClient();
  const renew = useMutation({
    mutationFn: ({ id }: Invitation) =>
      call('POST /console/api/projects/{project_id}/invitations/{invitation_id}/renew', {
        params: { project_id: project, invitation_id: id },
      }),
    // as for a new invitation
    gcTime: 0,
    onSuccess: (link, { email }) => {
      setMade({ email, link });
      return client.invalidateQueries(membersQuery(project));
    },
  });
  const closeLink = () => {
    setMade(undefined);
    renew.reset();
  };
  return (
    <>
      <ConfirmDialog
        title={`A new link for ${invitation?.email ?? ''}?`}
        effect="The link from before ends. The new one is valid for the full time again."
        confirmLabel="Make a new link"
        isOpen={invitation !== undefined}
        onClose={onClose}
        onConfirm={async () => invitation && renew.mutateAsync(invitation)}
      />
      {made && <InvitationLinkView {...made} onClose={closeLink} />}
    </>
  );
}

function RevokeDialog({ project, invitation, onClose }: WorkDialogProps) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: ({ id }: Invitation) =>
      call('DELETE /console/api/projects/{project_id}/invitations/{invitation_id}', {
        params: { project_id: project, invitation_id: id },
      }),
    onSuccess: () => client.invalidateQueries(membersQuery(project)),
  });
  return (
    <ConfirmDialog
      title={`Revoke the invitation of ${invitation?.email ?? ''}?`}
      effect="Its link does not work any more."
      confirmLabel="Revoke"
      isDanger
      isOpen={invitation !== undefined}
      onClose={onClose}
      onConfirm={async () => invitation && revoke.mutateAsync(invitation)}
    />
  );
}
