import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Role } from '@trawl/contract/vocabulary';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Select } from '../../parts/select.tsx';
import { roleOptions, type Viewer } from './member-rules.ts';
import { membersQuery } from './members-query.ts';
import { type InvitationLink, InvitationLinkView } from './shown-link.tsx';

interface InviteDialogProps {
  readonly project: string;
  readonly viewer: Viewer;
  readonly onClose: () => void;
}

/** Asks whom to invite, then shows the link. */
export function InviteDialog({ project, viewer, onClose }: InviteDialogProps) {
  const [made, setMade] = useState<{ readonly email: string; readonly link: InvitationLink }>();
  if (made) return <InvitationLinkView {...made} onClose={onClose} />;
  return (
    <Dialog
      title="Invite a person"
      description="You get a link to send to the person. trawl sends no e-mail."
      isOpen
      onClose={onClose}
    >
      <InviteForm
        project={project}
        viewer={viewer}
        onMade={(email, link) => setMade({ email, link })}
      />
    </Dialog>
  );
}

interface InviteFormProps extends Omit<InviteDialogProps, 'onClose'> {
  readonly onMade: (email: string, link: InvitationLink) => void;
}

function InviteForm({ project, viewer, onMade }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const client = useQueryClient();
  const invite = useMutation({
    mutationFn: () =>
      call('POST /console/api/projects/{project_id}/invitations', {
        params: { project_id: project },
        body: { email, role },
      }),
    // the link is in this answer only, so it must not stay in the cache of mutations
    gcTime: 0,
    onSuccess: (link) => {
      void client.invalidateQueries(membersQuery(project));
      onMade(email, link);
    },
  });
  return (
    <Form
      what="The invitation was not made"
      submitLabel="Make the link"
      fields={['email', 'role']}
      mutation={invite}
      onSubmit={() => invite.mutate()}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        hint="Only a person with this address can accept the invitation."
        value={email}
        error={issueAt(invite.error, 'body', 'email')}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Field label="Role" error={issueAt(invite.error, 'body', 'role')}>
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
  );
}
