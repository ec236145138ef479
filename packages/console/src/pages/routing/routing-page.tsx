import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function RoutingPage() {
  return (
    <Page title="Routing" description="Which providers answer which topics, and why.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
