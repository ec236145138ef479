import type { AnswerOf } from '../../api/call.ts';
import { ShownLink } from './shown-link.tsx';

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
