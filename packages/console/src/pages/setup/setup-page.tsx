import { PlainPage } from '../../shell/plain-page.tsx';

export default function SetupPage() {
  return (
    <PlainPage
      title="Set up trawl"
      description="The first account of this deployment, its first project and its first key."
    >
      <p>This page is not built yet.</p>
    </PlainPage>
  );
}
