import { PlainPage } from '../../shell/plain-page.tsx';

export default function InvitationPage() {
  return (
    <PlainPage
      title="Accept an invitation"
      description="Someone invited you to a project of this deployment."
    >
      <p>This page is not built yet.</p>
    </PlainPage>
  );
}
