import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function KeysPage() {
  return (
    <Page
      title="Keys"
      description="The API keys of this project, with their permissions, limits and use."
    >
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
