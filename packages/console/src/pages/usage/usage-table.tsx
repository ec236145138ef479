import { Table } from '../../parts/table.tsx';
import { Money, Whole } from '../../parts/value.tsx';
import type { GroupSum } from './sums.ts';

interface UsageTableProps {
  readonly caption: string;
  /** What the rows are: «Provider». */
  readonly title: string;
  readonly sums: readonly GroupSum[];
  readonly nameOf: (id: string | null) => string;
}

/** Calls and cost of each group, over all days of the span. */
export const UsageTable = ({ caption, title, sums, nameOf }: UsageTableProps) => (
  <Table
    caption={caption}
    rows={sums}
    rowKey={({ id }) => id ?? '\u0000'}
    columns={[
      { key: 'name', title, cell: ({ id }) => nameOf(id) },
      {
        key: 'calls',
        title: 'Calls',
        align: 'right',
        cell: ({ calls }) => <Whole value={calls} />,
      },
      {
        key: 'cost',
        title: 'Cost',
        align: 'right',
        cell: ({ costMicros }) => <Money micros={costMicros} />,
      },
      {
        key: 'unpriced',
        title: 'Calls of unknown cost',
        align: 'right',
        cell: ({ unpricedCalls }) => <Whole value={unpricedCalls} />,
      },
    ]}
  />
);
