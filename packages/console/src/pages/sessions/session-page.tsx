import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function SessionPage() {
  return (
    <Page title="Session" description="The interactions of a session, as a history and as a tree.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
