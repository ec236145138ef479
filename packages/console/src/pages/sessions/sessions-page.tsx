import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function SessionsPage() {
  return (
    <Page title="Sessions" description="The sessions of this project, newest activity first.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
