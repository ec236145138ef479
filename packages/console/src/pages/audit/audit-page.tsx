import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function AuditPage() {
  return (
    <Page title="Audit" description="Who changed what in this project, and when.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
