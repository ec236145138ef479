import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ConsoleSessionList, ConsoleSessionRow } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/error.ts';
import { useSession } from '../../api/session.ts';
import { useShortcuts } from '../../keys/shortcuts.ts';
import { Button } from '../../parts/button.tsx';
import { Switch } from '../../parts/choice.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../parts/number-text.ts';
import { EmptyState, Region } from '../../parts/region.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useKeptSet } from '../../parts/use-kept.ts';
import { Time } from '../../parts/value.tsx';
import { href, sessionPath } from '../../records/paths.ts';
import { FirstSearch } from '../../requests/command-tabs.tsx';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../url-state/url-state.ts';
import { FilterBar, isFilterFault } from './filter-bar.tsx';
import { COLUMNS, OPTIONAL_COLUMNS } from './session-columns.tsx';
import {
  isFiltered,
  LIST_STATE,
  NO_FILTERS,
  type SessionFilters,
  useListQuery,
} from './session-filters.ts';
import { SessionPeek } from './session-peek.tsx';
import styles from './sessions.module.css';
import { joined, type Live, useLive } from './use-live.ts';

const SHOWN_COLUMNS = 'trawl.sessions-columns';

/** The sessions of a project: filters, what is new, and a panel with one of them. */
export default function SessionsPage() {
  const { project = '' } = useParams({ strict: false });
  const [state, change] = useUrlState(LIST_STATE);
  const query = useListQuery(state);
  const list = useQuery({
    queryKey: [project, 'sessions', query, state.after],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/sessions', {
        params: { project_id: project },
        query: { ...query, after: state.after ?? undefined },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const isLive = state.live && state.after === null && !list.isPlaceholderData;
  const live = useLive(project, query, isLive ? list.data?.newest : undefined);
  const [added, toggle] = useKeptSet(SHOWN_COLUMNS);
  const filter = (part: Partial<SessionFilters>) => change({ ...part, after: null, peek: null });
  useShortcuts([{ keys: 'l', label: 'Follow live', run: () => change({ live: !state.live }) }]);
  return (
    <Page
      title="Sessions"
      description="Searches and fetches of this project that belong together, newest activity first."
      actions={
        <Menu
          trigger={<Button icon="settings">Columns</Button>}
          items={OPTIONAL_COLUMNS.map(({ key, title }) => ({
            label: title,
            isChecked: added.includes(key),
            onSelect: () => toggle(key),
          }))}
        />
      }
    >
      <div className="stack">
        <FilterBar project={project} state={state} onChange={filter} error={list.error} />
        <LiveBar
          live={live}
          isOn={state.live}
          isFirstPage={state.after === null}
          onSwitch={(isOn) => change({ live: isOn })}
        />
        <Region
          query={isFilterFault(list.error) ? { ...list, data: undefined } : list}
          what="The sessions"
          isEmpty={({ sessions }) => sessions.length === 0 && live.shown.length === 0}
          isFiltered={isFiltered(state) && list.data?.examined_until === null}
          onClearFilters={() => filter(NO_FILTERS)}
          empty={
            list.data?.next ? <SearchedSoFar list={list.data} change={change} /> : <NoSessions />
          }
        >
          {(data) => (
            <Rows
              project={project}
              list={data}
              rows={joined(live.shown, data.sessions)}
              columns={[...COLUMNS, ...OPTIONAL_COLUMNS.filter(({ key }) => added.includes(key))]}
              peek={state.peek}
              after={state.after}
              change={change}
            />
          )}
        </Region>
      </div>
    </Page>
  );
}

type Change = ReturnType<typeof useUrlState<typeof LIST_STATE>>[1];

interface RowsProps {
  readonly project: string;
  readonly list: ConsoleSessionList;
  readonly rows: readonly ConsoleSessionRow[];
  readonly columns: readonly Column<ConsoleSessionRow>[];
  readonly peek: string | null;
  readonly after: string | null;
  readonly change: Change;
}

function Rows({ project, list, rows, columns, peek, after, change }: RowsProps) {
  const place = rows.findIndex(({ id }) => id === peek);
  const goTo = (index: number) => {
    const row = rows[index];
    return row && (() => change({ peek: row.id }));
  };
  return (
    <div className="stack">
      <Table
        caption="Sessions"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => href(sessionPath(project, id))}
        onOpen={({ id }) => change({ peek: id }, { isStep: peek === null })}
        openKey={peek}
      />
      {list.examined_until && <SearchedSoFar list={list} change={change} />}
      <div className="spread">
        <span className="soft">
          {counted(rows.length, 'session')} shown
          {list.total !== null && `, of ${list.total.toLocaleString('en-US')} in this project`}
        </span>
        <span className="row">
          {after !== null && (
            <Button onClick={() => change({ after: null, peek: null }, { isStep: true })}>
              Newest
            </Button>
          )}
          {list.next !== null && (
            <Button onClick={() => change({ after: list.next, peek: null }, { isStep: true })}>
              Older sessions
            </Button>
          )}
        </span>
      </div>
      {peek !== null && (
        <SessionPeek
          project={project}
          session={peek}
          known={rows[place]}
          onClose={() => change({ peek: null })}
          onNext={goTo(place + 1)}
          onPrevious={place > 0 ? goTo(place - 1) : undefined}
        />
      )}
    </div>
  );
}

/** The search for sessions that match stopped before it had a page of them. */
const SearchedSoFar = ({
  list,
  change,
}: {
  readonly list: ConsoleSessionList;
  readonly change: Change;
}) => (
  <Note
    actions={
      <Button
        size="small"
        onClick={() => change({ after: list.next, peek: null }, { isStep: true })}
      >
        Search older sessions
      </Button>
    }
  >
    {counted(list.examined, 'session')} were compared with the filters, back to{' '}
    <Time at={list.examined_until} isAbsolute />. Older ones may match too.
  </Note>
);

interface LiveBarProps {
  readonly live: Live;
  readonly isOn: boolean;
  readonly isFirstPage: boolean;
  readonly onSwitch: (isOn: boolean) => void;
}

function LiveBar({ live, isOn, isFirstPage, onSwitch }: LiveBarProps) {
  return (
    <div className={styles.live}>
      <Switch
        label="Live"
        checked={isOn}
        onChange={onSwitch}
        {...(isOn && !isFirstPage ? { hint: 'On the first page only' } : {})}
      />
      <span aria-live="polite">
        {live.held.length > 0 && (
          <Button variant="primary" size="small" icon="live" onClick={live.show}>
            {live.held.length} new
          </Button>
        )}
      </span>
      {live.error && <span className="soft">Waiting: {describeError(live.error).detail}</span>}
    </div>
  );
}

function NoSessions() {
  const { server } = useSession();
  return (
    <EmptyState
      icon="sessions"
      text="No session yet. Every search and fetch makes one; with the same session_id they share it."
    >
      <FirstSearch query="when do cranes fly south" baseUrl={server.base_url} />
    </EmptyState>
  );
}
