import { useEffect } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dialog, DialogClose } from '../../parts/dialog.tsx';
import { Time } from '../../parts/value.tsx';

export type InvitationLink = AnswerOf<'POST /console/api/projects/{project_id}/invitations'>;

interface InvitationLinkViewProps {
  readonly email: string;
  readonly link: InvitationLink;
  readonly onClose: () => void;
}

/** The link, which is shown once: the server keeps a digest of it. */
export function InvitationLinkView({ email, link, onClose }: InvitationLinkViewProps) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <Dialog
      title={`The invitation of ${email}`}
      description="Send this link to the person. It is shown only now; you can make another one at any time."
      isOpen
      onClose={onClose}
      footer={
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <CodeBlock code={link.link} label="Link of the invitation" />
      <p className="soft">
        It works once, and ends <Time at={link.expires_at} />.
      </p>
    </Dialog>
  );
}
