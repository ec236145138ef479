import type { AuditEntry } from '@trawl/contract/console';
import { Status } from '../../parts/badge.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/value.tsx';
import { actionText, actorText, detailText, targetText } from './action-texts.ts';
import styles from './audit.module.css';

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

export const AuditTable = ({ entries, openKey, onOpen }: AuditTableProps) => (
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
