import type { ConsoleSessionRow } from '@trawl/contract/console';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/table.tsx';
import { Duration, Time } from '../../parts/value.tsx';
import { Cost, endsOf, OutcomeBar, outcomeWords } from '../../records/cost-and-outcome.tsx';
import { shortId } from '../../records/paths.ts';
import styles from './sessions.module.css';

const PROVIDERS_SHOWN = 3;

/** What a list always has. Some of it gives way where there is little room. */
export const COLUMNS: readonly Column<ConsoleSessionRow>[] = [
  {
    key: 'input',
    title: 'Session',
    isLong: true,
    cell: ({ id, input, kind }) => (
      <span className={styles.first}>
        <span className={styles.input} dir="auto">
          {input ?? 'Without a query'}
        </span>
        <span className="soft mono">
          {kind} {shortId(id)}
        </span>
      </span>
    ),
  },
  { key: 'active', title: 'Last activity', cell: (row) => <Time at={row.latest_interaction_at} /> },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcomes }) => (
      <span className={styles.outcome}>
        <OutcomeBar outcomes={outcomes} />
        <small aria-hidden="true">{outcomeWords(outcomes)}</small>
      </span>
    ),
  },
  {
    key: 'providers',
    title: 'Providers',
    isLong: true,
    cell: ({ providers }) => <Providers of={providers} />,
  },
  {
    key: 'cost',
    title: 'Cost',
    align: 'right',
    cell: (row) => <Cost cost={row} ends={endsOf(row)} />,
  },
  {
    key: 'duration',
    title: 'Duration',
    align: 'right',
    isExtra: true,
    cell: ({ duration_ms }) => <Duration ms={duration_ms} />,
  },
  {
    key: 'key',
    title: 'Key',
    isExtra: true,
    cell: ({ keys }) => <Names names={keys.map(({ name }) => name ?? 'deleted key')} />,
  },
];

/** Hidden until the person asks for one of them. */
export const OPTIONAL_COLUMNS: readonly Column<ConsoleSessionRow>[] = [
  { key: 'started', title: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'user',
    title: 'User',
    cell: ({ user_ids: names, user_count: count }) =>
      count === 0 ? <span className="soft">none</span> : <Names names={names} count={count} />,
  },
  {
    key: 'metadata',
    title: 'Metadata keys',
    cell: ({ metadata_keys: keys }) => {
      if (keys === null) return <span className="soft">too long for a list</span>;
      return keys.length === 0 ? <span className="soft">none</span> : <Names names={keys} />;
    },
  },
];

function Providers({ of }: { readonly of: ConsoleSessionRow['providers'] }) {
  const rest = of.length - PROVIDERS_SHOWN;
  return (
    <span className={styles.badges} title={of.map(({ name }) => name).join(', ')}>
      {of.slice(0, PROVIDERS_SHOWN).map(({ name, runs, failed }) => (
        <Badge key={name} tone={failed === 0 ? 'neutral' : failed < runs ? 'warn' : 'bad'}>
          {name}
          {failed > 0 && ` ${failed}/${runs} failed`}
        </Badge>
      ))}
      {rest > 0 && <Badge>+{rest}</Badge>}
    </span>
  );
}

interface NamesProps {
  readonly names: readonly string[];
  readonly count?: number;
}

function Names({ names, count = names.length }: NamesProps) {
  return (
    <span className={styles.names} title={names.join(', ')} dir="auto">
      {names[0]}
      {count > 1 && <span className="soft"> +{count - 1}</span>}
    </span>
  );
}
