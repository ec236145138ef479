import { useMutation } from '@tanstack/react-query';
import type { Member } from '@trawl/contract/console';
import { useEffect } from 'react';
import { type AnswerOf, call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dialog, DialogClose } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Time } from '../../parts/value.tsx';

interface ShownLinkProps {
  /** What the link is, as the title of the dialog. */
  readonly title: string;
  /** The same, for people who hear the page. */
  readonly label: string;
  readonly link: { readonly link: string; readonly expires_at: string };
  readonly onClose: () => void;
}

/** The link, which is shown once: the server keeps a digest of it. */
export function ShownLink({ title, label, link, onClose }: ShownLinkProps) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <Dialog
      title={title}
      description="Send this link to the person. It is shown only now; you can make another one at any time."
      isOpen
      onClose={onClose}
      footer={
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <CodeBlock code={link.link} label={label} />
      <p className="soft">
        It works once, and ends <Time at={link.expires_at} />.
      </p>
    </Dialog>
  );
}

export type InvitationLink = AnswerOf<'POST /console/api/projects/{project_id}/invitations'>;

interface InvitationLinkViewProps {
  readonly email: string;
  readonly link: InvitationLink;
  readonly onClose: () => void;
}

export const InvitationLinkView = ({ email, link, onClose }: InvitationLinkViewProps) => (
  <ShownLink
    title={`The invitation of ${email}`}
    label="Link of the invitation"
    link={link}
    onClose={onClose}
  />
);

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
        mutation={make}
        onSubmit={() => make.mutate()}
      >
        {null}
      </Form>
    </Dialog>
  );
}
