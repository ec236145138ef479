import type { Member } from '@trawl/contract/console';
import { useState } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/value.tsx';
import { type Viewer, whyFixed } from './member-rules.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

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
  readonly kind: 'role' | 'remove';
  readonly member: Member;
}

export function MemberTable({ project, members, viewer }: MemberTableProps) {
  const [work, setWork] = useState<Work>();
  const fixed = (member: Member) => whyFixed(member, members, viewer);
  const columns: readonly Column<Member>[] = [
    { key: 'name', title: 'Name', cell: (row) => <NameCell member={row} viewer={viewer} /> },
    {
      key: 'role',
      title: 'Role',
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
        fixed(row) === undefined && <Actions member={row} viewer={viewer} onChoose={setWork} />,
    },
  ];
  const close = () => setWork(undefined);
  return (
    <>
      <Table caption="Members" columns={columns} rows={members} rowKey={(row) => row.user_id} />
      {work?.kind === 'role' && (
        <RoleDialog project={project} member={work.member} viewer={viewer} onClose={close} />
      )}
      <RemoveDialog
        project={project}
        member={work?.kind === 'remove' ? work.member : undefined}
        isSelf={work?.member.user_id === viewer.id}
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
        {member.user_id === viewer.id && <Badge tone="accent">you</Badge>}
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
  readonly onChoose: (work: Work) => void;
}

function Actions({ member, viewer, onChoose }: ActionsProps) {
  const isSelf = member.user_id === viewer.id;
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
