import { Link } from '@tanstack/react-router';
import type { ConsoleKey } from '@trawl/contract/console';
import type { ReactNode } from 'react';
import { Status } from '../../parts/badge.tsx';
import type { Column } from '../../parts/table.tsx';
import { Money, Time } from '../../parts/value.tsx';
import { keyPath } from './key-query.ts';
import { STATES } from './key-words.ts';
import styles from './keys.module.css';
import { UsageBars } from './usage-bars.tsx';

/** @param actions the menu of a row; absent for people who may not change keys */
export function keyColumns(
  project: string,
  actions: ((key: ConsoleKey) => ReactNode) | undefined,
): readonly Column<ConsoleKey>[] {
  const columns: readonly Column<ConsoleKey>[] = [
    {
      key: 'name',
      title: 'Key',
      isSortable: true,
      cell: (key) => <KeyName project={project} value={key} />,
    },
    { key: 'status', title: 'Status', cell: (key) => <KeyStatus value={key} /> },
    { key: 'permissions', title: 'May', cell: (key) => <Permissions value={key} /> },
    { key: 'usage', title: 'Calls, 36 h', cell: (key) => <UsageBars usage={key.usage} /> },
    {
      key: 'spent',
      title: 'This month',
      align: 'right',
      isSortable: true,
      cell: (key) => <Spent value={key} />,
    },
    {
      key: 'used',
      title: 'Last used',
      isSortable: true,
      cell: (key) => <Time at={key.last_used_at} none="never" />,
    },
    {
      key: 'expires',
      title: 'Expires',
      isSortable: true,
      cell: (key) => <Time at={key.expires_at} none="never" />,
    },
    {
      key: 'created',
      title: 'Created',
      isSortable: true,
      cell: (key) => <Created value={key} />,
    },
  ];
  if (!actions) return columns;
  return [...columns, { key: 'actions', title: 'Actions', isTitleHidden: true, cell: actions }];
}

interface KeyProps {
  readonly value: ConsoleKey;
}

const KeyName = ({ project, value: key }: KeyProps & { readonly project: string }) => (
  <>
    <Link className={styles.name ?? ''} to={keyPath(project, key.id)}>
      {key.name}
    </Link>
    <div className="soft mono">tk_…{key.ends_with}</div>
    {key.replaces && <div className={styles.reason}>replaces a key that was rotated</div>}
    {key.replaced_by && <div className={styles.reason}>rotated, a new key replaces it</div>}
  </>
);

/** With its reason in words, unless there is nothing to say. */
export function KeyStatus({ value: { status } }: KeyProps) {
  const { label, tone } = STATES[status.code];
  return (
    <span title={status.reason}>
      <Status tone={tone}>{label}</Status>
      {status.code !== 'operational' && <div className={styles.reason}>{status.reason}</div>}
    </span>
  );
}

const Permissions = ({ value: key }: KeyProps) => (
  <>
    {key.permissions.join(', ')}
    {key.allowed_providers && (
      <div className={styles.reason}>only {key.allowed_providers.join(', ')}</div>
    )}
  </>
);

export const Spent = ({ value: { spent_micros, monthly_budget_micros } }: KeyProps) => (
  <>
    <Money micros={spent_micros} />
    {monthly_budget_micros !== null && (
      <div className="soft">
        of <Money micros={monthly_budget_micros} />
      </div>
    )}
  </>
);

const Created = ({ value: { created_at, created_by } }: KeyProps) => (
  <>
    <Time at={created_at} />
    <div className="soft">{makerText(created_by)}</div>
  </>
);

/** Who made a key. */
export function makerText(by: ConsoleKey['created_by']): string {
  if (by === null) return 'by the command line';
  return by.name === null ? 'by a person whose account was deleted' : `by ${by.name}`;
}
