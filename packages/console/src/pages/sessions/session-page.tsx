import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ConsoleSessionRow } from '@trawl/contract/console';
import { call, callApi } from '../../api/call.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { JsonView } from '../../parts/json-view.tsx';
import { Region } from '../../parts/region.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { areaPath } from '../../shell/navigation.ts';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { oneOf } from '../../url-state/values.ts';
import { DeleteSession } from './session/delete-session.tsx';
import { History } from './session/history.tsx';
import styles from './session/session.module.css';
import { SessionFacts } from './session/session-facts.tsx';
import { shortId } from './shared/words.ts';
import { Trajectory } from './trajectory/trajectory.tsx';

const VIEWS = ['history', 'trajectory', 'timeline', 'json'] as const;
const STATE = { tab: oneOf(VIEWS, 'history') };

/** A session as turns, as a tree, over time, and as JSON. */
export default function SessionPage() {
  const { project = '', session = '' } = useParams({ strict: false });
  const account = useSession();
  const query = useQuery({
    queryKey: [project, 'session', session],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/sessions/{session_id}', {
        params: { project_id: project, session_id: session },
        signal,
      }),
  });
  const mayDelete = isAllowed(account, projectOf(account, project), 'admin');
  return (
    <Page
      title={query.data?.input ?? `Session ${shortId(session)}`}
      crumbs={[{ label: 'Sessions', to: areaPath(project, 'sessions') }]}
      id={{ value: session, what: 'session id' }}
      actions={query.data && mayDelete && <DeleteSession project={project} row={query.data} />}
    >
      <Region query={query} what="The session">
        {(row) => <Views project={project} row={row} />}
      </Region>
    </Page>
  );
}

function Views({ project, row }: { readonly project: string; readonly row: ConsoleSessionRow }) {
  const [{ tab }, change] = useUrlState(STATE);
  const { id: session, interaction_count: count } = row;
  return (
    <div className={`stack ${styles.page}`}>
      <div className="card">
        <SessionFacts row={row} />
      </div>
      <Tabs
        label="Views of the session"
        value={tab}
        onChange={(next) => change({ tab: next }, { isStep: true })}
        tabs={[
          {
            value: 'history',
            label: 'History',
            content: <History project={project} session={session} count={count} />,
          },
          {
            value: 'trajectory',
            label: 'Trajectory',
            content: <Trajectory project={project} session={session} count={count} view="tree" />,
          },
          {
            value: 'timeline',
            label: 'Timeline',
            content: (
              <Trajectory project={project} session={session} count={count} view="timeline" />
            ),
          },
          {
            value: 'json',
            label: 'JSON',
            content: <SessionJson project={project} session={session} />,
          },
        ]}
      />
    </div>
  );
}

const JSON_INTERACTIONS = 50;

function SessionJson({ project, session }: { readonly project: string; readonly session: string }) {
  const query = useQuery({
    queryKey: [project, 'session-json', session],
    queryFn: ({ signal }) =>
      callApi(project, 'GET /v1/sessions/{session_id}/history', {
        params: { session_id: session },
        query: { type: 'full', limit: JSON_INTERACTIONS },
        signal,
      }),
  });
  return (
    <Region query={query} what="The history">
      {(history) => (
        <div className="stack-tight">
          <p className="soft">
            The answer of <code>GET /v1/sessions/{session}/history?type=full</code>
            {history.next_after !== undefined &&
              `, its first ${JSON_INTERACTIONS} interactions: pass next_after as "after" for the others`}
          </p>
          <JsonView
            value={history}
            label="History of the session"
            fileName={`session-${session}`}
            openLevels={3}
          />
        </div>
      )}
    </Region>
  );
}
