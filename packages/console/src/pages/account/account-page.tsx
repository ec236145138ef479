import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function AccountPage() {
  return (
    <Page title="Account" description="Your name, your password and your sessions.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
