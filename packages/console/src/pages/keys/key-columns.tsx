import { Link } from '@tanstack/react-router';
import type { ConsoleKey } from '@trawl/contract/console';
import type { ReactNode } from 'react';
import { Status } from '../../parts/badge.tsx';
import { wholeText } from '../../parts/number-text.ts';
import type { Column } from '../../parts/table.tsx';
import { Money, Time } from '../../parts/value.tsx';
import { shortId } from '../../records/paths.ts';
import { keyPath } from './key-query.ts';
import { clientPlace, STATES } from './key-words.ts';
import styles from './keys.module.css';

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
      isLong: true,
      cell: (key) => <KeyName project={project} value={key} />,
    },
    { key: 'status', title: 'Status', cell: (key) => <KeyStatus value={key} /> },
    { key: 'permissions', title: 'May', isLong: true, cell: (key) => <Permissions value={key} /> },
    {
      key: 'usage',
      title: 'Calls, 36 h',
      isExtra: true,
      cell: (key) => <UsageBars usage={key.usage} />,
    },
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
      isExtra: true,
      cell: (key) => <Time at={key.expires_at} none="never" />,
    },
    {
      key: 'created',
      title: 'Created',
      isSortable: true,
      isLong: true,
      isExtra: true,
      cell: (key) => <Created value={key} />,
    },
  ];
  if (!actions) return columns;
  return [...columns, { key: 'actions', title: 'Actions', isTitleHidden: true, cell: actions }];
}

interface KeyProps {
  readonly value: ConsoleKey;
}

/** How its secret ends. A login has none. */
export const KeySecret = ({ value: { login_client: client, last_four, created_by } }: KeyProps) =>
  client === null ? (
    <div className="soft mono">tk_…{last_four}</div>
  ) : (
    <div className="soft">
      login of {created_by?.name ?? 'a person who is gone'}, {clientPlace(client)}
    </div>
  );

const KeyName = ({ project, value: key }: KeyProps & { readonly project: string }) => (
  <>
    <Link className={styles.name ?? ''} to={keyPath(project, key.id)}>
      {key.name}
    </Link>
    <KeySecret value={key} />
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
    {key.replay_session !== null && (
      <div className={styles.reason}>
        answers from the records of session {shortId(key.replay_session)}
      </div>
    )}
  </>
);

export const Spent = ({ value: { spent_usd, monthly_budget_usd } }: KeyProps) => (
  <>
    <Money usd={spent_usd} />
    {monthly_budget_usd !== null && (
      <div className="soft">
        of <Money usd={monthly_budget_usd} />
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

const WIDTH = 108;
const HEIGHT = 22;

/** The calls of the last hours as small bars, failed ones on top. The numbers are its text. */
function UsageBars({ usage: { succeeded, failed } }: Pick<ConsoleKey, 'usage'>) {
  const sums = succeeded.map((count, index) => count + (failed[index] ?? 0));
  const total = sum(sums);
  if (total === 0) return <span className="soft">none in {sums.length} h</span>;
  const text = `${wholeText(total)} calls in ${sums.length} hours, ${wholeText(sum(failed))} failed`;
  const step = WIDTH / sums.length;
  const scale = HEIGHT / Math.max(...sums);
  const bar = (index: number, from: number, count: number) => ({
    x: index * step,
    width: step - 1,
    y: HEIGHT - (from + count) * scale,
    height: count * scale,
  });
  return (
    <svg
      className={styles.bars}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      {sums.map((_, index) => {
        const good = succeeded[index] ?? 0;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
          <g key={index}>
            <rect className={styles.succeeded} {...bar(index, 0, good)} />
            <rect className={styles.failed} {...bar(index, good, failed[index] ?? 0)} />
          </g>
        );
      })}
    </svg>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
