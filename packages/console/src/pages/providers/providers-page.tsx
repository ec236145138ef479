import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ConsoleFilter } from '@trawl/contract/console';
import { useProjectId } from '../../api/session.ts';
import { RANGE_OPTIONS, type Range } from '../../figures/range.ts';
import { OpenJson } from '../../figures/source.tsx';
import { SearchInput } from '../../parts/field.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Select } from '../../parts/select.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Page } from '../../shell/page.tsx';
import { oneOf, optional, text, useUrlState } from '../../url-state/url-state.ts';
import { FiguresTable } from './figures-table.tsx';
import { NoProvider } from './no-provider.tsx';
import { ProviderPeek } from './provider-peek.tsx';
import { keyOf, type ProviderStatus, providersAddress, providersQuery } from './provider-query.ts';
import { SupplyTable } from './supply-table.tsx';

const STATE = {
  operation: oneOf(['search', 'fetch'], 'search'),
  view: oneOf(['figures', 'fields', 'filters'], 'figures'),
  range: oneOf<Range>(['24h', '7d', '30d'], '24h'),
  q: text(),
  peek: optional(),
};

const OPERATIONS = [
  { value: 'search', label: 'Search providers' },
  { value: 'fetch', label: 'Fetch providers' },
] as const;

export default function ProvidersPage() {
  const project = useProjectId();
  const { pathname } = useLocation();
  const [state, change] = useUrlState(STATE);
  const query = useQuery(providersQuery(project, state.range));
  const shown = (all: readonly ProviderStatus[]) =>
    all.filter(({ operation, slug }) => operation === state.operation && slug.includes(state.q));
  const hrefOf = (provider: ProviderStatus) =>
    `/console${pathname}?${new URLSearchParams({ operation: provider.operation, peek: keyOf(provider) })}`;
  return (
    <Page
      title="Providers"
      description="What each provider can supply, whether it can be asked now, and how it did in this project."
      actions={<OpenJson address={providersAddress(project, state.range)} />}
    >
      <NoProvider />
      <div className="row">
        <SearchInput label="Filter by name" value={state.q} onChange={(q) => change({ q })} />
        <Select
          aria-label="Operation"
          value={state.operation}
          options={OPERATIONS}
          onChange={(operation) => change({ operation, peek: null })}
        />
        <Select
          aria-label="Time"
          value={state.range}
          options={RANGE_OPTIONS}
          onChange={(range) => change({ range })}
        />
      </div>
      <Region
        query={query}
        what="The providers"
        isEmpty={({ providers }) => shown(providers).length === 0}
        empty={<EmptyState icon="plug" text="This deployment knows no such provider." />}
        isFiltered={state.q !== ''}
        onClearFilters={() => change({ q: '' })}
      >
        {({ providers }) => (
          <Tabs
            label="View"
            // fetches have no filters
            value={state.operation === 'fetch' && state.view === 'filters' ? 'figures' : state.view}
            onChange={(view) => change({ view })}
            tabs={[
              {
                value: 'figures',
                label: 'Figures',
                content: (
                  <FiguresTable
                    providers={shown(providers)}
                    openKey={state.peek}
                    hrefOf={hrefOf}
                    onOpen={(provider) => change({ peek: keyOf(provider) }, { isStep: true })}
                  />
                ),
              },
              {
                value: 'fields',
                label: 'Fields',
                content: <SupplyTable providers={shown(providers)} />,
              },
              ...(state.operation === 'search' ? [filtersTab(shown(providers))] : []),
            ]}
          />
        )}
      </Region>
      <OpenPeek
        providers={shown(query.data?.providers ?? [])}
        open={state.peek}
        onChange={(peek) => change({ peek })}
      />
    </Page>
  );
}

const filtersTab = (providers: readonly ProviderStatus[]) => ({
  value: 'filters' as const,
  label: 'Filters',
  content: <FiltersTable providers={providers} />,
});

interface OpenPeekProps {
  readonly providers: readonly ProviderStatus[];
  readonly open: string | null;
  readonly onChange: (peek: string | null) => void;
}

function OpenPeek({ providers, open, onChange }: OpenPeekProps) {
  const index = providers.findIndex((provider) => keyOf(provider) === open);
  const provider = providers[index];
  if (provider === undefined) return null;
  const step = (to: number) => {
    const other = providers[to];
    return other && (() => onChange(keyOf(other)));
  };
  return (
    <ProviderPeek
      provider={provider}
      onClose={() => onChange(null)}
      onNext={step(index + 1)}
      onPrevious={step(index - 1)}
    />
  );
}

interface Row {
  readonly filter: string;
  /** By provider. */
  readonly cells: ReadonlyMap<string, ConsoleFilter>;
}

/** How each provider applies each filter, at best. */
function FiltersTable({ providers }: { readonly providers: readonly ProviderStatus[] }) {
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
        isMatrix
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
