import { useMutation } from '@tanstack/react-query';
import type { Member } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { ShownLink } from './shown-link.tsx';

interface PasswordLinkDialogProps {
  readonly project: string;
  readonly member: Member;
  readonly onClose: () => void;
}

/** Makes a link with which a member sets a new password, and shows it once. */
export function PasswordLinkDialog({ project, member, onClose }: PasswordLinkDialogProps) {
  const make = useMutation({
    mutationFn: () =>
      call('POST /console/api/projects/{project_id}/members/{user_id}/password-link', {
        params: { project_id: project, user_id: member.id },
      }),
  });
  if (make.data) {
    return (
      <ShownLink
        title={`The password link of ${member.name}`}
        label="Link for a new password"
        link={make.data}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title={`A new password for ${member.name}?`}
      description={`The link lets ${member.email} set a new password. When it is used, every session of the person ends. A link made before ends now.`}
      isOpen
      onClose={onClose}
    >
      <Form
        what="The link was not made"
        submitLabel="Make the link"
        fields={[]}
        isBusy={make.isPending}
        error={make.error}
        onSubmit={() => make.mutate()}
      >
        {null}
      </Form>
    </Dialog>
  );
}
