import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function OverviewPage() {
  return (
    <Page
      title="Overview"
      description="What this project did lately: requests, cost, keys and members."
    >
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
