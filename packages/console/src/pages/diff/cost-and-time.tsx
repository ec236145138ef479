import { moneyText } from '../../parts/number-text.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { durationText } from '../../parts/time-text.ts';
import { Duration, Money, NotReported, Whole } from '../../parts/value.tsx';
import type { QueryDiff, RunDiff } from './diff-rows.ts';

interface Row {
  readonly query: QueryDiff;
  readonly run: RunDiff;
}

type Side = RunDiff['before'];

/** The run of a provider in both searches: how it ended, its time and cost, and the difference. */
export function CostAndTime({ queries }: { readonly queries: readonly QueryDiff[] }) {
  const rows = queries.flatMap((query) => query.runs.map((run): Row => ({ query, run })));
  const columns = queries.length > 1 ? [QUERY, ...COLUMNS] : COLUMNS;
  return (
    <Table
      caption="Cost and time of each provider"
      columns={columns}
      rows={rows}
      rowKey={({ query, run }) => `${query.batch_index} ${run.provider}`}
    />
  );
}

const QUERY: Column<Row> = {
  key: 'query',
  title: 'Query',
  cell: ({ query }) => query.batch_index + 1,
};

const COLUMNS: readonly Column<Row>[] = [
  { key: 'provider', title: 'Provider', cell: ({ run }) => run.provider },
  {
    key: 'status',
    title: 'Ended',
    cell: ({ run: { before, after } }) => pair(endOf(before), endOf(after)),
  },
  {
    key: 'rows',
    title: 'Rows',
    align: 'right',
    cell: ({ run: { before, after } }) => (
      <>
        <Whole value={before?.rows ?? 0} /> → <Whole value={after?.rows ?? 0} />
      </>
    ),
  },
  {
    key: 'time',
    title: 'Time',
    align: 'right',
    cell: ({ run: { before, after } }) => (
      <>
        <TimeOf side={before} /> → <TimeOf side={after} />
      </>
    ),
  },
  {
    key: 'time-difference',
    title: 'Time difference',
    align: 'right',
    cell: ({ run: { before, after } }) => (
      <Difference
        before={before?.latency_ms}
        after={after?.latency_ms}
        text={(ms) => durationText(ms)}
      />
    ),
  },
  {
    key: 'cost',
    title: 'Cost',
    align: 'right',
    cell: ({ run: { before, after } }) => (
      <>
        <CostOf side={before} /> → <CostOf side={after} />
      </>
    ),
  },
  {
    key: 'cost-difference',
    title: 'Cost difference',
    align: 'right',
    cell: ({ run: { before, after } }) => (
      <Difference before={before?.cost_usd} after={after?.cost_usd} text={moneyText} />
    ),
  },
];

const pair = (before: string, after: string): string =>
  before === after ? after : `${before} → ${after}`;

function endOf(side: Side): string {
  if (side === null) return 'did not run';
  return side.error_code ?? side.status;
}

const TimeOf = ({ side }: { readonly side: Side }) =>
  side === null ? <span className="soft">–</span> : <Duration ms={side.latency_ms} />;

const CostOf = ({ side }: { readonly side: Side }) =>
  side === null ? <span className="soft">–</span> : <Money usd={side.cost_usd} />;

interface DifferenceProps {
  readonly before: number | null | undefined;
  readonly after: number | null | undefined;
  readonly text: (size: number) => string;
}

/** With its sign. Not reported where one of both is not known. */
function Difference({ before, after, text }: DifferenceProps) {
  if (before === null || after === null) return <NotReported />;
  if (before === undefined || after === undefined) return <span className="soft">–</span>;
  const difference = after - before;
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '';
  return (
    <span className="number">
      {sign}
      {text(Math.abs(difference))}
    </span>
  );
}
