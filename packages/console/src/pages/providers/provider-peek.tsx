import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callApi } from '../../api/call.ts';
import { useIsAllowed, useProjectId, useSession } from '../../api/session.ts';
import { Status, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Note } from '../../parts/note.tsx';
import { Peek } from '../../parts/peek.tsx';
import { EmptyState } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { Money, Time, Whole } from '../../parts/value.tsx';
import { Cost, EmptyShare, ErrorShare, Latency } from './figures-table.tsx';
import { Probe } from './probe.tsx';
import { ProviderKeys } from './provider-keys.tsx';
import { keyOf, type ProviderStatus } from './provider-query.ts';
import { accessName, adviceFor, CircuitState, CredentialState } from './provider-state.tsx';
import { supplyWord } from './supply-table.tsx';

interface ProviderPeekProps {
  readonly provider: ProviderStatus;
  readonly onClose: () => void;
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
}

/** One operation of a provider: its state, what failed lately, a probe, and why it lacks fields. */
export function ProviderPeek({ provider, ...steps }: ProviderPeekProps) {
  const { slug, operation, description, docs_url, setting, key_page } = provider;
  const { person } = useSession();
  // an operator sees the field for the key instead
  const isSetHere = person.is_operator && provider.credential === 'missing' && setting !== null;
  const advice = isSetHere ? null : adviceFor(provider);
  return (
    <Peek title={`${slug} (${operation})`} {...steps}>
      <div className="stack" key={keyOf(provider)}>
        <p>
          {description}{' '}
          {docs_url !== null && <ExternalLink href={docs_url}>Documentation</ExternalLink>}
        </p>
        {advice !== null && <Note tone="warn">{advice}</Note>}
        <p className="row">
          Credential <CredentialState provider={provider} />
          {setting !== null && <code>{setting}</code>}
          {key_page && <ExternalLink href={key_page.url}>Where a key is made</ExternalLink>}
        </p>
        <ProviderKeys slug={slug} />
        <p className="row">
          Circuit <CircuitState provider={provider} />
        </p>
        <Health provider={provider} />
        <Accesses provider={provider} />
        <Probe provider={provider} />
        <Facts
          of={[
            ['Asked', <Whole key="asked" value={provider.figures.asked} />],
            ['Errors', <ErrorShare key="errors" of={provider} />],
            ['Empty', <EmptyShare key="empty" of={provider} />],
            ['Latency', <Latency key="latency" of={provider} />],
            ['Cost', <Cost key="cost" of={provider} />],
            [
              'Least price',
              <Money
                key="price"
                usd={provider.price.cost_usd}
                isEstimated={provider.price.cost_kind === 'estimated'}
              />,
            ],
          ]}
        />
        <h3>Failures</h3>
        <Failures provider={provider} />
        <h3>Customer data</h3>
        <DataUse provider={provider} />
        <details>
          <summary>Fields and filters</summary>
          <div className="stack">
            <Supply provider={provider} />
          </div>
        </details>
      </div>
    </Peek>
  );
}

/** What it supplies, and how it applies filters. */
function Supply({ provider }: { readonly provider: ProviderStatus }) {
  const { slug } = provider;
  return (
    <>
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
    </>
  );
}

/** Each of its keys or addresses, which cool down by themselves. */
function Accesses({ provider: { slug, accesses } }: { readonly provider: ProviderStatus }) {
  if (accesses.length === 0) return null;
  const isByKey = accesses.every(({ address }) => address === null);
  return (
    <Table
      caption={`${isByKey ? 'Keys' : 'Addresses'} of ${slug}`}
      rows={accesses.map((access, index) => ({ ...access, index }))}
      rowKey={({ index }) => String(index)}
      columns={[
        { key: 'name', title: isByKey ? 'Key' : 'Address', cell: accessName },
        {
          key: 'circuit',
          title: 'Circuit',
          cell: ({ circuit }) => <CircuitState provider={{ circuit }} />,
        },
      ]}
    />
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
      It {TRAINING[use.training] ?? 'may train models on what is sent: that is unknown'}. Retention:{' '}
      {use.retention}; region: {use.region}.{' '}
      <span className="soft">
        {use.note}
        {use.checked !== null && ` Checked ${use.checked}.`}
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

const HEALTH = 'GET /v1/providers/{name}/health';
const RESET = 'POST /v1/providers/{name}/health/reset';
const REFRESH_MS = 20_000;

const TONES: Readonly<Record<string, Tone>> = { well: 'good', doubtful: 'warn', ill: 'bad' };

/** How good the answers of a search provider are, next to its own of before, and why. */
function Health({ provider: { slug, operation } }: { readonly provider: ProviderStatus }) {
  const project = useProjectId();
  const client = useQueryClient();
  const maySee = useIsAllowed('admin') && operation === 'search';
  const params = { name: slug };
  const queryKey = ['health', project, slug];
  const { data } = useQuery({
    queryKey,
    queryFn: () => callApi(project, HEALTH, { params }),
    enabled: maySee,
    refetchInterval: REFRESH_MS,
  });
  const reset = useMutation({
    mutationFn: () => callApi(project, RESET, { params }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  if (!data) return null;
  const bad = data.reasons.filter(({ is_bad }) => is_bad);
  return (
    <div className="stack-tight">
      <p className="row">
        Answers <Status tone={TONES[data.state] ?? 'neutral'}>{data.state}</Status>
        {data.since !== null && (
          <span className="soft">
            since <Time at={data.since} />
          </span>
        )}
        {data.state === 'ill' && (
          <Button isBusy={reset.isPending} onClick={() => reset.mutate()}>
            It works again
          </Button>
        )}
      </p>
      {bad.map(({ message }) => (
        <p key={message}>{`${message.charAt(0).toUpperCase()}${message.slice(1)}.`}</p>
      ))}
      {bad.length > 0 && data.example_interaction_ids.length > 0 && (
        <p className="row">
          Examples
          {data.example_interaction_ids.map((id) => (
            <code key={id}>{id}</code>
          ))}
        </p>
      )}
    </div>
  );
}
