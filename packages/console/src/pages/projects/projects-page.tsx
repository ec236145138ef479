import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function ProjectsPage() {
  return (
    <Page title="Projects" description="The projects that you are a member of.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
