import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function ProvidersPage() {
  return (
    <Page
      title="Providers"
      description="The providers of this deployment, how they perform and what they can do."
    >
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
