import { type Column, Table } from '../../parts/table.tsx';
import { Duration, Money, Share, Whole } from '../../parts/value.tsx';
import { keyOf, type ProviderStatus } from './provider-query.ts';
import { CircuitState, CredentialState } from './state.tsx';

interface FiguresTableProps {
  readonly providers: readonly ProviderStatus[];
  readonly onOpen: (provider: ProviderStatus) => void;
  readonly openKey: string | null;
  /** The address of a row in the panel. */
  readonly hrefOf: (provider: ProviderStatus) => string;
}

/** How each provider did in the span. */
export const FiguresTable = ({ providers, onOpen, openKey, hrefOf }: FiguresTableProps) => (
  <Table
    caption="Providers and their figures"
    rows={providers}
    rowKey={keyOf}
    rowHref={hrefOf}
    onOpen={onOpen}
    openKey={openKey}
    columns={COLUMNS}
  />
);

const right = 'right' as const;

const COLUMNS: readonly Column<ProviderStatus>[] = [
  { key: 'slug', title: 'Provider', cell: ({ slug }) => slug },
  { key: 'default', title: 'Runs', cell: (provider) => runsText(provider) },
  {
    key: 'credential',
    title: 'Credential',
    cell: (provider) => <CredentialState provider={provider} />,
  },
  { key: 'circuit', title: 'Circuit', cell: (provider) => <CircuitState provider={provider} /> },
  {
    key: 'asked',
    title: 'Asked',
    align: right,
    cell: ({ figures }) => <Whole value={figures.asked} />,
  },
  {
    key: 'failed',
    title: 'Errors',
    align: right,
    cell: (provider) => <ErrorShare of={provider} />,
  },
  { key: 'empty', title: 'Empty', align: right, cell: (provider) => <EmptyShare of={provider} /> },
  ...(['p50', 'p80', 'p95'] as const).map((key) => ({
    key,
    title: key === 'p50' ? 'Median' : key,
    align: right,
    cell: ({ figures }: ProviderStatus) =>
      figures.asked === 0 ? <NoRuns /> : <Duration ms={figures.latency_ms?.[key]} />,
  })),
  {
    key: 'cost',
    title: 'Cost',
    align: right,
    cell: ({ figures }) => (figures.calls === 0 ? <NoRuns /> : <Cost figures={figures} />),
  },
  {
    key: 'price',
    title: 'Least price',
    align: right,
    cell: ({ price }) => (
      <Money usd={price.cost_usd} isEstimated={price.cost_kind === 'estimated'} />
    ),
  },
];

function runsText({ is_default, chain_position }: ProviderStatus): string {
  if (chain_position !== null) return `place ${chain_position} of the chain`;
  return is_default ? 'by default' : 'when named';
}

/** Without a run there is nothing to report. */
const NoRuns = () => (
  <span className="soft">
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">no runs</span>
  </span>
);

/** Of the runs in which it was asked. */
export const ErrorShare = ({ of: { figures } }: { readonly of: ProviderStatus }) =>
  figures.asked === 0 ? <NoRuns /> : <Share value={figures.failed / figures.asked} />;

/** Of the searches whose count of rows is known. */
export const EmptyShare = ({ of: { figures } }: { readonly of: ProviderStatus }) =>
  figures.asked === 0 ? (
    <NoRuns />
  ) : (
    <Share value={figures.counted === 0 ? null : figures.empty / figures.counted} />
  );

const Cost = ({ figures }: { readonly figures: ProviderStatus['figures'] }) => {
  const { cost_usd: cost, unpriced_calls: unpriced } = figures;
  return (
    <>
      <Money usd={cost} />
      {unpriced > 0 && cost !== null && <span className="soft"> + {unpriced} unknown</span>}
    </>
  );
};
