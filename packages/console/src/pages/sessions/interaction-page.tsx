import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function InteractionPage() {
  return (
    <Page
      title="Interaction"
      description="One interaction: its request, its routing, its runs and their results."
    >
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
