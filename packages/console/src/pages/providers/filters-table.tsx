import type { ConsoleFilter } from '@trawl/contract/console';
import { type Column, Table } from '../../parts/table.tsx';
import type { Provider } from './provider-query.ts';

interface Row {
  readonly filter: string;
  /** By provider. */
  readonly cells: ReadonlyMap<string, ConsoleFilter>;
}

/** How each provider applies each filter, at best. */
export function FiltersTable({ providers }: { readonly providers: readonly Provider[] }) {
  const rows = (providers[0]?.filters ?? []).map(
    ({ filter }): Row => ({
      filter,
      cells: new Map(
        providers.flatMap(({ slug, filters }) => {
          const found = filters.find((one) => one.filter === filter);
          return found ? [[slug, found]] : [];
        }),
      ),
    }),
  );
  return (
    <div className="stack-tight">
      <p className="soft">
        “native”: the provider has a parameter for it. “query”: an operator is added to the query.
        “checked”: rows that break it are dropped here. “unsupported”: nothing is possible. It may
        depend on the value; each run says what happened.
      </p>
      <Table
        caption="Filters by provider"
        rows={rows}
        rowKey={({ filter }) => filter}
        columns={[
          { key: 'filter', title: 'Filter', cell: ({ filter }) => <code>{filter}</code> },
          ...providers.map(
            ({ slug }): Column<Row> => ({
              key: slug,
              title: slug,
              cell: ({ cells }) => <FilterCell fact={cells.get(slug)} />,
            }),
          ),
        ]}
      />
    </div>
  );
}

function FilterCell({ fact }: { readonly fact: ConsoleFilter | undefined }) {
  if (fact === undefined) return null;
  return (
    <span className={fact.method === 'unsupported' ? 'soft' : undefined} title={fact.reason}>
      {fact.method}
    </span>
  );
}
