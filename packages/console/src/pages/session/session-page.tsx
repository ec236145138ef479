import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ConsoleSessionRow, ConsoleTurn } from '@trawl/contract/console';
import { useMemo, useState } from 'react';
import { call, callApi } from '../../api/call.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../parts/number-text.ts';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { durationText } from '../../parts/time-text.ts';
import { toast } from '../../parts/toast.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { shortId } from '../../records/paths.ts';
import { useTurns } from '../../records/record-queries.ts';
import { areaPath } from '../../shell/navigation.ts';
import { Page } from '../../shell/page.tsx';
import { oneOf, useUrlState } from '../../url-state/url-state.ts';
import { QuotesTab } from './quotes-tab.tsx';
import styles from './session.module.css';
import { SessionFacts } from './session-facts.tsx';
import { Trajectory } from './trajectory.tsx';
import { TurnLine } from './turn-line.tsx';

const VIEWS = ['history', 'trajectory', 'quotes', 'json'] as const;
const STATE = { tab: oneOf(VIEWS, 'history') };

/** A session as turns, as a tree, as what quotes are checked against, and as JSON. */
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
            content: <Trajectory project={project} session={session} count={count} />,
          },
          {
            value: 'quotes',
            label: 'Quotes',
            content: <QuotesTab project={project} session={session} />,
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

const ROW_HEIGHT = 76;

interface HistoryProps {
  readonly project: string;
  readonly session: string;
  /** As the head of the session counts them. */
  readonly count: number;
}

/** The interactions of a session in order, with long breaks between them. */
function History({ project, session, count }: HistoryProps) {
  const { query, turns } = useTurns(project, session);
  const { hasNextPage } = query;
  const rows = useMemo(() => turnRows(turns), [turns]);
  return (
    <Region
      query={query}
      what="The interactions"
      isEmpty={() => turns.length === 0}
      empty={<EmptyState icon="sessions" text="This session has no interactions any more." />}
    >
      {() => (
        <div className="stack-tight">
          {hasNextPage && (
            <Note>
              Showing the first {turns.length.toLocaleString('en-US')} of{' '}
              {counted(count, 'interaction')}. The others are being read.
            </Note>
          )}
          <VirtualList
            label="Interactions"
            role="list"
            items={rows}
            itemKey={({ key }) => key}
            rowHeight={ROW_HEIGHT}
            height="70vh"
            renderItem={(row) => (
              <div className={styles.item}>
                {row.kind === 'turn' ? (
                  <TurnLine project={project} session={session} turn={row.turn} />
                ) : (
                  <p className={styles.gap}>nothing for {durationText(row.ms)}</p>
                )}
              </div>
            )}
          />
        </div>
      )}
    </Region>
  );
}

/** Nothing happened for this time, so the list shows a break. */
const IDLE_MS = 5 * 60_000;

/** A turn, or the idle time before one. */
type TurnRow =
  | { readonly kind: 'turn'; readonly key: string; readonly turn: ConsoleTurn }
  | { readonly kind: 'idle'; readonly key: string; readonly ms: number };

/** Turns in order, with the breaks between them. */
function turnRows(turns: readonly ConsoleTurn[]): readonly TurnRow[] {
  const rows: TurnRow[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const turn of turns) {
    const idle = Date.parse(turn.created_at) - end;
    if (idle >= IDLE_MS) rows.push({ kind: 'idle', key: `idle ${turn.id}`, ms: idle });
    rows.push({ kind: 'turn', key: turn.id, turn });
    // a turn may begin while an earlier one is not yet done
    const done = Date.parse(turn.completed_at);
    end = end === Number.POSITIVE_INFINITY ? done : Math.max(end, done);
  }
  return rows;
}

interface DeleteSessionProps {
  readonly project: string;
  readonly row: ConsoleSessionRow;
}

/** Deletes a session after a confirmation, and goes back to the list. */
function DeleteSession({ project, row }: DeleteSessionProps) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await callApi(project, 'DELETE /v1/sessions/{session_id}', { params: { session_id: row.id } });
    client.removeQueries({ queryKey: [project, 'session', row.id] });
    await client.invalidateQueries({ queryKey: [project, 'sessions'] });
    toast({ text: `Session ${shortId(row.id)} was deleted` });
    await navigate({ to: areaPath(project, 'sessions') });
  };
  return (
    <>
      <Button icon="trash" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title={`Delete the session ${shortId(row.id)}?`}
        effect={`Its ${counted(row.interaction_count, 'interaction')} with all queries, results and page texts are deleted for everyone. What they cost stays in the usage. This cannot be undone.`}
        confirmLabel="Delete session"
        isDanger
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={remove}
      />
    </>
  );
}
