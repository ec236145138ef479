import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { callApi } from '../../api/call.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { encodeRequest, LINK_PARAMETER } from '../../requests/link.ts';
import type { PlannedRequest } from '../../requests/planned.ts';
import { requestOfRecord } from '../../requests/record.ts';
import { Page } from '../../shell/page.tsx';
import { oneOf, optional, text, useUrlState } from '../../url-state/url-state.ts';
import { NoProvider } from '../providers/no-provider.tsx';
import { ContextPlayground } from './context-playground.tsx';
import styles from './playground.module.css';
import { RequestPane } from './request-pane.tsx';
import { RunPanel, TABS } from './run-panel.tsx';
import { useDraft } from './use-draft.ts';
import { type Runner, useRun } from './use-run.ts';
import { useWork } from './use-work.ts';

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
  const [{ view }, setUrl] = useUrlState(VIEW);
  if (view === 'context') {
    return (
      <Page
        title="Playground"
        description="One question, and a context that fits a model: a search and its best pages."
        actions={<Button onClick={() => setUrl({ view: 'request' })}>Search and fetch</Button>}
      >
        <ContextPlayground key={project} project={project} />
      </Page>
    );
  }
  // another project begins with an empty page
  return <Playground key={project} project={project} />;
}

/** Whether single requests are made, or contexts. */
const VIEW = { view: oneOf(['request', 'context'], 'request') };

function Playground({ project }: { readonly project: string }) {
  const [url, setUrl] = useUrlState(STATE);
  const [, setView] = useUrlState(VIEW);
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
  const answer = useShownWhen(runner.state?.phase === 'running');
  const work = useWork(project, draft, runner, mayRun);
  return (
    <Page
      title="Playground"
      description="Searches and fetches with the options of the API. They are recorded, limited and billed like any other."
      actions={
        <>
          <Button onClick={() => setView({ view: 'context' }, { isStep: true })}>
            One context
          </Button>
          <CopyButton text={() => window.location.href} label="Copy link to this request">
            Copy link
          </CopyButton>
        </>
      }
    >
      {draft.request.mode === 'search' && work.lack !== undefined && <NoProvider />}
      <div className={styles.panes}>
        <section className={styles.form} aria-label="Request">
          <RequestPane draft={draft} work={work} project={project} />
        </section>
        <section ref={answer} className={styles.results} aria-label="Answer">
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

/** Scrolls to an element below the screen when something begins in it, as on a phone. */
function useShownWhen(isRunning: boolean) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    if (isRunning && top > window.innerHeight / 2) element.current?.scrollIntoView();
  }, [isRunning]);
  return element;
}

interface Shown {
  readonly project: string;
  /** The session and interaction that the address names, with a point between them. */
  readonly place: string | null;
  readonly onPlace: (place: string | null) => void;
  /** The request of the form; null until it is known. */
  readonly request: PlannedRequest | null;
}

/**
 * Keeps the place of the shown answer in the address, and reads the answer back from its record
 * when a page begins with one: a reload buys nothing again.
 */
function useShownAnswer(runner: Runner, { project, place, onPlace, request }: Shown) {
  const { state, show } = runner;
  const phase = state?.phase;
  const answer = state?.answer;
  const answered = answer ? `${answer.session_id}.${answer.interaction_id}` : null;
  const [session = '', interaction = ''] = place?.split('.') ?? [];
  const query = useQuery({
    queryKey: ['playground', project, 'answer', place],
    queryFn: ({ signal }) =>
      callApi(project, 'GET /v1/interactions', {
        query: { session_id: session, interaction_id: interaction },
        signal,
      }),
    enabled: place !== null && state === null && request !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useEffect(() => {
    // another one, or none while it runs
    if (phase !== undefined && answered !== place) onPlace(answered);
  }, [phase, answered, place, onPlace]);
  useEffect(() => {
    const { data } = query;
    if (!data || !request || state !== null) return;
    const isFetch = data.preprocessor_runs[0]?.request_payload.urls !== undefined;
    const isSame = (request.mode === 'fetch') === isFetch;
    show(isSame ? request : (requestOfRecord(data) ?? request), data);
  }, [query, request, state, show]);
  return query;
}
