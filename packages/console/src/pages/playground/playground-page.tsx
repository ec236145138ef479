import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { callApi } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { useShortcuts } from '../../keys/use-shortcuts.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Note } from '../../parts/note.tsx';
import { Skeleton } from '../../parts/region.tsx';
import { encodeRequest, LINK_PARAMETER } from '../../requests/link.ts';
import type { PlannedRequest } from '../../requests/planned.ts';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { oneOf, optional, text } from '../../url-state/values.ts';
import { emptyRequest, isRunnable, type Mode } from './form/draft.ts';
import { FetchForm } from './form/fetch-form.tsx';
import { SearchForm } from './form/search-form.tsx';
import { Segmented } from './form/segmented.tsx';
import { type Draft, useDraft } from './form/use-draft.ts';
import styles from './playground.module.css';
import { RunPanel, TABS } from './results/run-panel.tsx';
import { priceLine } from './run/prices.ts';
import { usePlan, useProviderPrices } from './run/use-plan.ts';
import { type Runner, useRun } from './run/use-run.ts';
import { useShownAnswer } from './run/use-shown-answer.ts';

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
          <RequestPane draft={draft} work={work} mayRun={mayRun} project={project} />
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

interface Work {
  readonly plan: ReturnType<typeof usePlan>;
  readonly isRunning: boolean;
  /** Why it cannot be run now. */
  readonly obstacle: string | undefined;
  readonly run: () => void;
  readonly cancel: () => void;
  /** Of the latest dry run or run. */
  readonly error: unknown;
  readonly onUnreadable: (field: string, isUnreadable: boolean) => void;
}

function useWork(
  project: string,
  { request, version }: Draft,
  runner: Runner,
  mayRun: boolean,
): Work {
  const plan = usePlan(project, request, mayRun);
  const [unreadable, setUnreadable] = useState<{
    readonly of: number;
    readonly fields: readonly string[];
  }>({
    of: version,
    fields: [],
  });
  const fields = unreadable.of === version ? unreadable.fields : [];
  const isRunning = runner.state?.phase === 'running';
  const obstacle = obstacleOf(request, fields, mayRun);
  const run = () => {
    if (obstacle !== undefined || isRunning) return;
    runner.run(request, plan.isPlaceholderData || plan.error ? [] : (plan.data?.calls ?? []));
  };
  useShortcuts([
    { keys: 'mod+Enter', label: 'Run the request', run },
    { keys: 'mod+.', label: 'Cancel the request', run: runner.cancel },
  ]);
  const ownError = runner.state?.request === request ? runner.state.error : null;
  return {
    plan,
    isRunning,
    obstacle,
    run,
    cancel: runner.cancel,
    error: plan.error ?? ownError,
    onUnreadable: (field, isUnreadable) => {
      const others = fields.filter((name) => name !== field);
      setUnreadable({ of: version, fields: isUnreadable ? [...others, field] : others });
    },
  };
}

function obstacleOf(
  request: PlannedRequest,
  unreadable: readonly string[],
  mayRun: boolean,
): string | undefined {
  if (!mayRun) return 'Running needs the role member in this project.';
  if (unreadable.length > 0) return `Correct the JSON of: ${unreadable.join(', ')}.`;
  if (isRunnable(request)) return undefined;
  return request.mode === 'search' ? 'Write a query first.' : 'Write a URL first.';
}

interface RequestPaneProps {
  readonly draft: Draft;
  readonly work: Work;
  readonly mayRun: boolean;
  readonly project: string;
}

const MODES = [
  { value: 'search', label: 'Search' },
  { value: 'fetch', label: 'Fetch' },
] as const;

function RequestPane({ draft, work, mayRun, project }: RequestPaneProps) {
  const { request, change, version, fault, isReady } = draft;
  const [others, setOthers] = useState<Partial<Record<Mode, PlannedRequest>>>({});
  if (!isReady) return <Skeleton />;
  const choose = (mode: Mode) => {
    setOthers({ ...others, [request.mode]: request });
    change(others[mode] ?? emptyRequest(mode));
  };
  return (
    <div className="stack">
      <Segmented
        label="Mode"
        isLabelHidden
        value={request.mode}
        segments={MODES}
        onChange={choose}
      />
      {fault === 'unreadable' && (
        <Note tone="warn">The link holds no request that can be read. The form is empty.</Note>
      )}
      {fault === 'too-long' && (
        <Note tone="warn">
          The request is too long for a link: the address does not hold its latest state.
        </Note>
      )}
      {!mayRun && <Note>You can read here. Running needs the role member in this project.</Note>}
      <RequestForm
        key={`${version} ${request.mode}`}
        project={project}
        request={request}
        error={work.error}
        onChange={change}
        onUnreadable={work.onUnreadable}
      />
      <RunBar work={work} request={request} />
    </div>
  );
}

interface RequestFormProps {
  readonly project: string;
  readonly request: PlannedRequest;
  readonly error: unknown;
  readonly onChange: (request: PlannedRequest) => void;
  readonly onUnreadable: (field: string, isUnreadable: boolean) => void;
}

function RequestForm({ project, ...form }: RequestFormProps) {
  const isSearch = form.request.mode === 'search';
  const searchers = useQuery({
    queryKey: ['roster', project, 'search'],
    queryFn: ({ signal }) => callApi(project, 'GET /v1/preprocessors', { signal }),
    enabled: isSearch,
  });
  const fetchers = useQuery({
    queryKey: ['roster', project, 'fetch'],
    queryFn: ({ signal }) => callApi(project, 'GET /v1/fetch-providers', { signal }),
    enabled: !isSearch,
  });
  const roster = searchers.data?.preprocessors ?? [];
  const priced = roster.filter(({ configured }) => configured).map(({ slug }) => slug);
  const prices = useProviderPrices(project, form.request, priced);
  const { error, refetch } = isSearch ? searchers : fetchers;
  return (
    <>
      {error && (
        <ErrorNote
          what="The providers could not be read"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {isSearch ? (
        <SearchForm {...form} roster={roster} prices={prices} />
      ) : (
        <FetchForm {...form} roster={fetchers.data?.fetch_providers ?? []} />
      )}
    </>
  );
}

/** The price before the run, and the buttons. */
function RunBar({ work, request }: { readonly work: Work; readonly request: PlannedRequest }) {
  const { plan, isRunning, obstacle, run, cancel } = work;
  return (
    <div className={styles.runBar}>
      <div role="status" className={styles.price}>
        {obstacle ?? <PriceText plan={plan} request={request} />}
      </div>
      <div className="row">
        {isRunning && (
          <Button icon="stop" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button
          variant="primary"
          icon="play"
          isBusy={isRunning}
          disabled={obstacle !== undefined}
          onClick={run}
          title="Ctrl or Cmd and Enter"
        >
          Run
        </Button>
      </div>
    </div>
  );
}

function PriceText({
  plan,
  request,
}: {
  readonly plan: Work['plan'];
  readonly request: PlannedRequest;
}) {
  const { data, error } = plan;
  if (error) {
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    return (
      <span className={styles.refused}>
        {isRefused ? 'The server would refuse it' : 'The price is not known'}: {error.message}
      </span>
    );
  }
  if (!data) return <span className="soft">Asking for the price…</span>;
  return (
    <span className={plan.isPlaceholderData ? 'soft' : undefined}>{priceLine(data, request)}</span>
  );
}
