import { OpenJson } from '../../figures/source.tsx';
import { Meter, SectionHead } from '../../figures/tiles.tsx';
import { Badge } from '../../parts/badge.tsx';
import { EmptyState } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { Money, NotReported } from '../../parts/value.tsx';
import type { ProjectSpending } from './usage-query.ts';

type Key = ProjectSpending['keys'][number];
type Monthly = Pick<Key, 'budget_usd' | 'spent_usd' | 'projected_usd'>;

interface BudgetsProps {
  readonly spending: ProjectSpending;
  readonly address: string;
}

/** Budgets of the month, and where each leads. */
export function Budgets({ spending, address }: BudgetsProps) {
  const limited = spending.keys.filter(({ budget_usd }) => budget_usd !== null);
  const rows = [
    ...(spending.budget_usd === null
      ? []
      : [{ ...spending, key_id: 'project', name: 'Whole project', state: null }]),
    ...limited,
  ];
  return (
    <section className="stack-tight">
      <SectionHead title={`Budgets of ${spending.from.slice(0, 7)}`}>
        <OpenJson address={address} />
      </SectionHead>
      <p className="soft">
        The projection is what was spent, and the rate of the last seven days for the rest of the
        month (UTC).
        {spending.unpriced_calls > 0 &&
          ` The cost of ${spending.unpriced_calls} calls is not known; it is in no figure.`}
      </p>
      {rows.length === 0 ? (
        <EmptyState
          icon="chart"
          text="Neither the project nor a key has a monthly budget. Set one under Settings or Keys."
        />
      ) : (
        <Table
          caption="Budgets of the month"
          rows={rows}
          rowKey={({ key_id }) => key_id}
          columns={[
            {
              key: 'name',
              title: 'Whose',
              cell: ({ name, state }) => (
                <>
                  {name} {state !== null && state !== 'active' && <Badge>{state}</Badge>}
                </>
              ),
            },
            {
              key: 'budget',
              title: 'Budget',
              align: 'right',
              cell: ({ budget_usd }) => <Money usd={budget_usd} />,
            },
            {
              key: 'spent',
              title: 'Spent',
              align: 'right',
              cell: ({ spent_usd }) => <Money usd={spent_usd} />,
            },
            { key: 'used', title: 'Used', cell: (row) => <Used of={row} name={row.name} /> },
            {
              key: 'projected',
              title: 'At the end of the month',
              align: 'right',
              cell: (row) => <Projected of={row} />,
            },
          ]}
        />
      )}
    </section>
  );
}

export function Used({ of, name }: { readonly of: Monthly; readonly name: string }) {
  const { budget_usd: budget, spent_usd: spent } = of;
  if (budget === null) return <NotReported />;
  const share = budget === 0 ? 1 : spent / budget;
  return (
    <span className="row">
      <Meter label={`Budget of ${name} used`} share={share} />
      <span className="number">{Math.round(share * 100)} %</span>
    </span>
  );
}

export function Projected({ of }: { readonly of: Monthly }) {
  const { budget_usd: budget, projected_usd: projected } = of;
  return (
    <>
      <Money usd={projected} isEstimated />
      {budget !== null && projected > budget && (
        <>
          {' '}
          <Badge tone="bad" icon="alert">
            over the budget
          </Badge>
        </>
      )}
    </>
  );
}
