import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function UsagePage() {
  return (
    <Page title="Usage" description="Calls and cost over time, by provider, key and user.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
