import { useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { encodeRequest, LINK_PARAMETER } from '../../requests/link.ts';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { oneOf, optional, text } from '../../url-state/values.ts';
import { RequestPane } from './form/request-pane.tsx';
import { useDraft } from './form/use-draft.ts';
import styles from './playground.module.css';
import { RunPanel, TABS } from './results/run-panel.tsx';
import { useRun } from './run/use-run.ts';
import { useShownAnswer } from './run/use-shown-answer.ts';
import { useWork } from './run/use-work.ts';

const STATE = {
  [LINK_PARAMETER]: text(),
  tab: oneOf(TABS, 'results'),
  /** The address of a page of the web that is marked everywhere. */
  page: optional(),
  /** The session and interaction whose answer is shown. */
  shown: optional(),
};

export default function PlaygroundPage() {
  const { project = '' } = useParams({ strict: false });
  // another project begins with an empty page
  return <Playground key={project} project={project} />;
}

function Playground({ project }: { readonly project: string }) {
  const [url, setUrl] = useUrlState(STATE);
  const writeLink = useCallback((link: string) => setUrl({ [LINK_PARAMETER]: link }), [setUrl]);
  const draft = useDraft(url[LINK_PARAMETER], writeLink);
  const session = useSession();
  const mayRun = isAllowed(session, projectOf(session, project), 'member');
  const runner = useRun(project);
  const onPlace = useCallback((shown: string | null) => setUrl({ shown }), [setUrl]);
  const shown = useShownAnswer(runner, {
    project,
    place: url.shown,
    onPlace,
    request: draft.isReady ? draft.request : null,
  });
  const work = useWork(project, draft, runner, mayRun);
  return (
    <Page
      title="Playground"
      description="Searches and fetches with the options of the API. They are recorded, limited and billed like any other."
      actions={
        <CopyButton text={() => window.location.href} label="Copy link to this request">
          Copy link
        </CopyButton>
      }
    >
      <div className={styles.panes}>
        <section className={styles.form} aria-label="Request">
          <RequestPane draft={draft} work={work} project={project} />
        </section>
        <section className={styles.results} aria-label="Answer">
          {shown.error && runner.state === null && (
            <ErrorNote
              what="The answer of the link could not be read"
              error={shown.error}
              onRetry={() => void shown.refetch()}
            />
          )}
          <RunPanel
            project={project}
            baseUrl={session.server.base_url}
            request={draft.request}
            state={runner.state}
            tab={url.tab}
            onTab={(tab) => setUrl({ tab })}
            marked={url.page}
            onMark={(page) => setUrl({ page })}
            onFetch={(page) =>
              void encodeRequest({ mode: 'fetch', body: { urls: [page] } }).then((link) =>
                setUrl({ [LINK_PARAMETER]: link ?? '' }, { isStep: true }),
              )
            }
            onRetry={work.run}
          />
        </section>
      </div>
    </Page>
  );
}
