import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function MembersPage() {
  return (
    <Page title="Members" description="The people of this project, their roles, and invitations.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
