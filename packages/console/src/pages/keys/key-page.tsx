import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function KeyPage() {
  return (
    <Page title="Key" description="One API key: its settings, its use and its last requests.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
