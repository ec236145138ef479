import { useQuery } from '@tanstack/react-query';
import { useProjectId } from '../../api/session.ts';
import { OpenJson } from '../../figures/source.tsx';
import { SectionHead } from '../../figures/tiles.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { Whole } from '../../parts/value.tsx';
import { ErrorShare } from '../providers/figures-table.tsx';
import { canSearch } from '../providers/no-provider.tsx';
import {
  keyOf,
  type ProviderStatus,
  providersAddress,
  providersQuery,
} from '../providers/provider-query.ts';
import { AnswersState, adviceFor, CircuitState, isResting } from '../providers/provider-state.tsx';

/** From this share of errors on, a provider is in trouble. */
const ERRORS_FROM = 0.2;
/** Of fewer runs a share says little. */
const RUNS_MIN = 5;

/** Providers that fail, answer worse than before, or are not asked at present, in the last day. */
export function ProvidersInTrouble() {
  const project = useProjectId();
  const query = useQuery(providersQuery(project, '24h'));
  return (
    <section className="stack-tight">
      <SectionHead title="Providers in trouble">
        <OpenJson address={providersAddress(project, '24h')} />
      </SectionHead>
      <Region
        query={query}
        what="The providers"
        isEmpty={({ providers }) => !providers.some(isInTrouble)}
        empty={
          query.data && canSearch(query.data.providers) ? (
            <EmptyState
              icon="check"
              text="None: every provider with a credential can be asked, and few calls failed in the last 24 hours."
            />
          ) : (
            <EmptyState icon="plug" text="No search provider can be asked yet." />
          )
        }
      >
        {({ providers }) => (
          <Table
            caption="Providers in trouble"
            rows={providers.filter(isInTrouble)}
            rowKey={keyOf}
            rowHref={(provider) =>
              `/console/p/${project}/providers?operation=${provider.operation}&peek=${keyOf(provider)}`
            }
            columns={[
              {
                key: 'slug',
                title: 'Provider',
                cell: (provider) => (
                  <>
                    {`${provider.slug} (${provider.operation}) `}
                    <AnswersState provider={provider} />
                  </>
                ),
              },
              {
                key: 'circuit',
                title: 'Circuit',
                cell: (provider) => <CircuitState provider={provider} />,
              },
              {
                key: 'errors',
                title: 'Errors',
                align: 'right',
                cell: (provider) => <ErrorShare of={provider} />,
              },
              {
                key: 'failed',
                title: 'Failed',
                align: 'right',
                cell: ({ figures }) => <Whole value={figures.failed} />,
              },
              {
                key: 'advice',
                title: 'What to do',
                isLong: true,
                cell: (provider) => adviceFor(provider) ?? commonFailure(provider),
              },
            ]}
          />
        )}
      </Region>
    </section>
  );
}

function isInTrouble(provider: ProviderStatus): boolean {
  const { credential, circuit, answers, accesses, figures } = provider;
  if (credential === 'missing') return false;
  const isOpen = circuit !== null && circuit.state !== 'closed';
  const fails = figures.asked >= RUNS_MIN && figures.failed / figures.asked >= ERRORS_FROM;
  const isBad = credential === 'refused' || isOpen || answers?.state === 'ill';
  return isBad || accesses.some(isResting) || fails;
}

function commonFailure({ figures }: ProviderStatus): string {
  const code = figures.failures.find(({ kind }) => kind === 'provider')?.code;
  return code === undefined ? '' : `Most failures: ${code}.`;
}
