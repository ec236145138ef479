import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AuditEntry } from '@trawl/contract/console';
import { call, callForFile } from '../../api/call.ts';
import { describeError } from '../../api/error.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { Status } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState, Forbidden, Region } from '../../parts/region.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { Time } from '../../parts/value.tsx';
import { Page } from '../../shell/page.tsx';
import { useUrlState } from '../../url-state/url-state.ts';
import { actionText, actorText, detailText, targetText } from './action-texts.ts';
import styles from './audit.module.css';
import {
  AUDIT_STATE,
  AuditFilters,
  type AuditState,
  filtersOf,
  hasFilters,
  NO_FILTERS,
  type Scope,
} from './audit-filters.tsx';
import { EntryPeek } from './entry-peek.tsx';

const DESCRIPTION = 'Who did what, and what was refused. Entries are never changed.';

export default function AuditPage() {
  const { project = '' } = useParams({ strict: false });
  const session = useSession();
  const [state, change] = useUrlState(AUDIT_STATE);
  if (!isAllowed(session, projectOf(session, project), 'admin')) {
    return (
      <Page title="Audit" description={DESCRIPTION}>
        <Forbidden what="The audit log" neededRole="admin" />
      </Page>
    );
  }
  // of the whole deployment, only operators read it
  const { is_operator: isOperator } = session.person;
  const shown: AuditState = isOperator ? state : { ...state, scope: 'project' };
  const entries = <Entries project={project} state={shown} onChange={change} />;
  const tab = (scope: Scope, label: string) => ({ value: scope, label, content: entries });
  return (
    <Page
      title="Audit"
      description={DESCRIPTION}
      actions={<ExportButton project={project} state={shown} />}
    >
      {isOperator ? (
        <Tabs
          label="Audit log of"
          value={shown.scope}
          onChange={(scope) => change({ ...NO_FILTERS, scope, peek: null }, { isStep: true })}
          tabs={[tab('project', 'This project'), tab('deployment', 'Whole deployment')]}
        />
      ) : (
        entries
      )}
    </Page>
  );
}

type Change = ReturnType<typeof useUrlState<typeof AUDIT_STATE>>[1];

interface EntriesProps {
  readonly project: string;
  readonly state: AuditState;
  readonly onChange: Change;
}

function Entries({ project, state, onChange }: EntriesProps) {
  const page = useQuery(auditQuery(project, useSettled(state)));
  const show = (peek: string | null) => onChange({ peek }, { isStep: state.peek === null });
  return (
    <div className="stack">
      <AuditFilters state={state} onChange={onChange} />
      <Region
        query={page}
        what="The audit log"
        neededRole="admin"
        isEmpty={(data) => data.entries.length === 0}
        isFiltered={hasFilters(state)}
        onClearFilters={() => onChange(NO_FILTERS)}
        empty={
          <EmptyState
            icon="audit"
            text="Nothing is recorded yet. Changes of members, keys and limits will be here, and what was refused."
          />
        }
      >
        {({ entries, next }) => (
          <div className="stack">
            <AuditTable entries={entries} openKey={state.peek} onOpen={({ id }) => show(id)} />
            <Pager next={next} before={state.before} onChange={onChange} />
            {state.peek !== null && <EntryPeek entries={entries} id={state.peek} onShow={show} />}
          </div>
        )}
      </Region>
    </div>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'time', title: 'Time', cell: (entry) => <Time at={entry.created_at} /> },
  {
    key: 'actor',
    title: 'Who',
    cell: (entry) => <span className={styles.name}>{actorText(entry)}</span>,
  },
  {
    key: 'action',
    title: 'What',
    isLong: true,
    cell: (entry) => (
      <div>
        {actionText(entry)}
        <div className="mono soft">{entry.action}</div>
      </div>
    ),
  },
  {
    key: 'target',
    title: 'On',
    cell: (entry) => <span className={styles.name}>{targetText(entry)}</span>,
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <Status tone={outcome === 'refused' ? 'warn' : 'good'}>{outcome}</Status>
    ),
  },
  {
    key: 'description',
    title: 'Details',
    isLong: true,
    cell: (entry) => <span className={styles.detail}>{entry.reason ?? detailText(entry)}</span>,
  },
];

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  readonly openKey: string | null;
  readonly onOpen: (entry: AuditEntry) => void;
}

const AuditTable = ({ entries, openKey, onOpen }: AuditTableProps) => (
  <Table
    caption="Audit log"
    columns={COLUMNS}
    rows={entries}
    rowKey={({ id }) => id}
    rowHref={({ id }) => hrefOf(id)}
    openKey={openKey}
    onOpen={onOpen}
  />
);

/** The address of this page with the panel of an entry. */
function hrefOf(id: string): string {
  const parameters = new URLSearchParams(window.location.search);
  parameters.set('peek', id);
  return `?${parameters}`;
}

interface PagerProps {
  readonly next: string | null;
  readonly before: string | null;
  readonly onChange: Change;
}

function Pager({ next, before, onChange }: PagerProps) {
  if (next === null && before === null) return null;
  const goTo = (place: string | null) => onChange({ before: place, peek: null }, { isStep: true });
  return (
    <nav className="row" aria-label="Pages of the audit log">
      <Button disabled={before === null} onClick={() => goTo(null)}>
        Newest
      </Button>
      <Button disabled={next === null} onClick={() => goTo(next)}>
        Older
      </Button>
    </nav>
  );
}

/** One page of entries. */
const auditQuery = (project: string, state: AuditState) => {
  const query = { ...filtersOf(state), before: state.before ?? undefined };
  return queryOptions({
    queryKey: ['audit', state.scope === 'project' ? project : null, query],
    queryFn: ({ signal }) =>
      state.scope === 'project'
        ? call('GET /console/api/projects/{project_id}/audit', {
            params: { project_id: project },
            query,
            signal,
          })
        : call('GET /console/api/audit', { query, signal }),
    placeholderData: keepPreviousData,
  });
};

interface ExportButtonProps {
  readonly project: string;
  readonly state: AuditState;
}

/** Saves all entries that meet the filters, as lines of JSON. */
function ExportButton({ project, state }: ExportButtonProps) {
  const download = useMutation({
    // not by a link: the browser would save a refusal as the file
    mutationFn: async () => {
      const query = filtersOf(state);
      const file = await (state.scope === 'project'
        ? callForFile('GET /console/api/projects/{project_id}/audit/export', {
            params: { project_id: project },
            query,
          })
        : callForFile('GET /console/api/audit/export', { query }));
      saveFile(file, `trawl-audit-${new Date().toISOString().slice(0, 10)}.ndjson`);
    },
    onError: (error) =>
      toast({ text: `The export failed: ${describeError(error).detail}`, tone: 'bad' }),
  });
  return (
    <Button icon="download" isBusy={download.isPending} onClick={() => download.mutate()}>
      Export
    </Button>
  );
}
