import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../figures/project.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { Peek } from '../../parts/peek.tsx';
import { EmptyState } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { Time, Whole } from '../../parts/value.tsx';
import { Probe } from './probe.tsx';
import { ProviderKeys } from './provider-keys.tsx';
import { keyOf, type ProviderStatus } from './provider-query.ts';
import { adviceFor, CircuitState, CredentialState } from './state.tsx';
import { supplyWord } from './supply-table.tsx';

interface ProviderPeekProps {
  readonly provider: ProviderStatus;
  readonly onClose: () => void;
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
}

/** One operation of a provider: its state, what failed lately, a probe, and why it lacks fields. */
export function ProviderPeek({ provider, ...steps }: ProviderPeekProps) {
  const { slug, operation, description, docs_url, setting } = provider;
  const advice = adviceFor(provider);
  return (
    <Peek title={`${slug} (${operation})`} {...steps}>
      <div className="stack" key={keyOf(provider)}>
        <p>
          {description} <ExternalLink href={docs_url}>Documentation</ExternalLink>
        </p>
        <p className="row">
          Credential <CredentialState provider={provider} />
          {setting !== null && <code>{setting}</code>}
        </p>
        <p className="row">
          Circuit <CircuitState provider={provider} />
        </p>
        <DataUse provider={provider} />
        {advice !== null && <Note tone="warn">{advice}</Note>}
        <ProviderKeys slug={slug} />
        <Probe provider={provider} />
        <h3>Failures</h3>
        <Failures provider={provider} />
        <h3>Fields</h3>
        <Table
          caption={`Fields of ${slug}`}
          rows={provider.supply}
          rowKey={({ field }) => field}
          columns={[
            { key: 'field', title: 'Field', cell: ({ field }) => <code>{field}</code> },
            { key: 'supply', title: 'Supplied', cell: supplyWord },
            {
              key: 'reason',
              title: 'Why',
              isLong: true,
              cell: ({ reason }) => reason ?? <span className="soft">–</span>,
            },
          ]}
        />
        {provider.filters.length > 0 && (
          <>
            <h3>Filters</h3>
            <Table
              caption={`Filters of ${slug}`}
              rows={provider.filters}
              rowKey={({ filter }) => filter}
              columns={[
                { key: 'filter', title: 'Filter', cell: ({ filter }) => <code>{filter}</code> },
                { key: 'method', title: 'Applied', cell: ({ method }) => method },
                { key: 'reason', title: 'Why', isLong: true, cell: ({ reason }) => reason },
              ]}
            />
          </>
        )}
      </div>
    </Peek>
  );
}

const TRAINING: Readonly<Record<string, string>> = {
  no: 'trains no models on what is sent',
  opt_out: 'trains models on what is sent, unless the account switches it off',
  yes: 'trains models on what is sent',
};

/** What the vendor does with queries and pages, as far as it is known. */
function DataUse({ provider: { data_use: use } }: { readonly provider: ProviderStatus }) {
  return (
    <p>
      Customer data: {TRAINING[use.training] ?? 'unknown whether it trains models'}; retention:{' '}
      {use.retention}; region: {use.region}.{' '}
      <span className="soft">
        {use.note} Checked {use.checked}.
      </span>{' '}
      {use.source !== null && <ExternalLink href={use.source}>Source</ExternalLink>}
    </p>
  );
}

const KINDS = { provider: 'the provider', page: 'the page', not_sent: 'not sent' } as const;

function Failures({ provider: { slug, figures } }: { readonly provider: ProviderStatus }) {
  const project = useProjectId();
  if (figures.failures.length === 0) {
    return <EmptyState icon="check" text="Nothing failed in this time." />;
  }
  return (
    <Table
      caption={`Failures of ${slug}`}
      rows={figures.failures}
      rowKey={({ kind, code }) => `${kind} ${code}`}
      columns={[
        { key: 'code', title: 'Reason', cell: ({ code }) => <code>{code}</code> },
        { key: 'kind', title: 'Who', cell: ({ kind }) => KINDS[kind] },
        { key: 'runs', title: 'Runs', align: 'right', cell: ({ runs }) => <Whole value={runs} /> },
        {
          key: 'latest',
          title: 'Latest',
          cell: ({ latest }) => (
            <Link to={`/p/${project}/sessions/${latest.session_id}/${latest.interaction_id}`}>
              <Time at={latest.at} />
            </Link>
          ),
        },
      ]}
    />
  );
}
