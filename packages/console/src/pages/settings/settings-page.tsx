import { EmptyState } from '../../parts/region.tsx';
import { Page } from '../../shell/page.tsx';

export default function SettingsPage() {
  return (
    <Page title="Settings" description="The name of this project, its limits and its deletion.">
      <EmptyState text="This page is not built yet." />
    </Page>
  );
}
