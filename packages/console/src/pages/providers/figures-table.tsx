import { type Column, Table } from '../../parts/table.tsx';
import { Duration, Money, Share, Whole } from '../../parts/value.tsx';
import { keyOf, type ProviderStatus } from './provider-query.ts';
import { AnswersState, CircuitState, CredentialState } from './provider-state.tsx';

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
    isLines
  />
);

const right = 'right' as const;

const COLUMNS: readonly Column<ProviderStatus>[] = [
  {
    key: 'slug',
    title: 'Provider',
    cell: (provider) => (
      <>
        {provider.slug}
        <div className="soft small">{runsText(provider)}</div> <AnswersState provider={provider} />
      </>
    ),
  },
  {
    key: 'credential',
    title: 'Credential',
    isInLine: true,
    cell: (provider) => <CredentialState provider={provider} />,
  },
  {
    key: 'circuit',
    title: 'Circuit',
    isInLine: true,
    cell: (provider) => <CircuitState provider={provider} />,
  },
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
  {
    key: 'empty',
    title: 'Empty',
    align: right,
    isExtra: true,
    cell: (provider) => <EmptyShare of={provider} />,
  },
  {
    key: 'latency',
    title: 'Latency',
    align: right,
    isExtra: true,
    cell: (provider) => <Latency of={provider} />,
  },
  {
    key: 'cost',
    title: 'Cost',
    align: right,
    cell: (provider) => <Cost of={provider} />,
  },
  {
    key: 'price',
    title: 'Least price',
    align: right,
    isExtra: true,
    cell: ({ price }) => (
      <Money usd={price.cost_usd} isEstimated={price.cost_kind === 'estimated'} />
    ),
  },
];

function runsText({ is_default, chain_position }: ProviderStatus): string {
  if (chain_position !== null) return `place ${chain_position} of the chain`;
  return is_default ? 'by default' : 'when named';
}

/** The median, and below it what most and nearly all calls took at most. */
export const Latency = ({ of: { figures } }: { readonly of: ProviderStatus }) => {
  const { latency_ms: latency } = figures;
  if (latency === null) return <NoRuns />;
  return (
    <>
      <Duration ms={latency.p50} />
      <div className="soft small">
        p80 <Duration ms={latency.p80} />, p95 <Duration ms={latency.p95} />
      </div>
    </>
  );
};

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

export const Cost = ({ of: { figures } }: { readonly of: ProviderStatus }) => {
  const { calls, cost_usd: cost, unpriced_calls: unpriced } = figures;
  if (calls === 0) return <NoRuns />;
  return (
    <>
      <Money usd={cost} />
      {unpriced > 0 && cost !== null && <div className="soft small">+ {unpriced} unknown</div>}
    </>
  );
};
