import type { ConsoleSessionRow } from '@trawl/contract/console';
import { Badge } from '../../../parts/badge.tsx';
import type { Column } from '../../../parts/table.tsx';
import { Duration, Time, Whole } from '../../../parts/value.tsx';
import { Cost, OutcomeBar } from '../shared/facts.tsx';
import { shortId } from '../shared/words.ts';
import styles from './list.module.css';

const PROVIDERS_SHOWN = 3;

export const COLUMNS: readonly Column<ConsoleSessionRow>[] = [
  {
    key: 'input',
    title: 'Session',
    cell: ({ id, input, kind }) => (
      <span className={styles.first}>
        <span className="cut" dir="auto">
          {input ?? 'Without a query'}
        </span>
        <span className="soft mono">
          {kind} {shortId(id)}
        </span>
      </span>
    ),
  },
  { key: 'active', title: 'Last activity', cell: (row) => <Time at={row.latest_interaction_at} /> },
  { key: 'started', title: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'interactions',
    title: 'Interactions',
    cell: ({ interaction_count, outcomes }) => (
      <span className={styles.count}>
        <Whole value={interaction_count} />
        <OutcomeBar outcomes={outcomes} />
      </span>
    ),
  },
  { key: 'providers', title: 'Providers', cell: ({ providers }) => <Providers of={providers} /> },
  { key: 'cost', title: 'Cost', align: 'right', cell: (row) => <Cost cost={row} /> },
  {
    key: 'duration',
    title: 'Duration',
    align: 'right',
    cell: ({ duration_ms }) => <Duration ms={duration_ms} />,
  },
  {
    key: 'key',
    title: 'Key',
    cell: ({ keys }) => <Names names={keys.map(({ name }) => name ?? 'deleted key')} />,
  },
  {
    key: 'user',
    title: 'User',
    cell: ({ user_ids: names, user_count: count }) =>
      count === 0 ? <span className="soft">none</span> : <Names names={names} count={count} />,
  },
];

/** Hidden until the person asks for it. */
export const METADATA_COLUMN: Column<ConsoleSessionRow> = {
  key: 'metadata',
  title: 'Metadata keys',
  cell: ({ metadata_keys: keys }) => {
    if (keys === null) return <span className="soft">too long for a list</span>;
    return keys.length === 0 ? <span className="soft">none</span> : <Names names={keys} />;
  },
};

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
