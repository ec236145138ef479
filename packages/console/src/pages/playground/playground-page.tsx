import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function PlaygroundPage() {
  return (
    <Page
      title="Playground"
      description="Searches and fetches with the same options as the API. They are recorded and billed like any other."
    >
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
