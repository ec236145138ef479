import { useQuery } from '@tanstack/react-query';
import { useProjectId } from '../../api/session.ts';
import { lastDays } from '../../figures/range.ts';
import { CopyCurl } from '../../figures/source.tsx';
import { Meter, SectionHead, Tile, Tiles } from '../../figures/tiles.tsx';
import { Chart } from '../../parts/chart.tsx';
import { moneyText, shareText, wholeText } from '../../parts/number-text.ts';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Money, Whole } from '../../parts/value.tsx';
import { Page } from '../../shell/page.tsx';
import { NoProvider } from '../providers/no-provider.tsx';
import { providersQuery } from '../providers/provider-query.ts';
import { Projected } from '../usage/budgets.tsx';
import {
  type ProjectSpending,
  spendingQuery,
  usagePath,
  usageQuery,
} from '../usage/usage-query.ts';
import { seriesOf, totalOf } from '../usage/usage-sums.ts';
import { FirstSteps } from './first-steps.tsx';
import { LatestSessions } from './latest-sessions.tsx';
import { ProvidersInTrouble } from './providers-in-trouble.tsx';

const DAYS = 14;

/** What a team would put on a wall. It updates itself. */
export default function OverviewPage() {
  const project = useProjectId();
  const days = lastDays(DAYS);
  const wanted = { from: days[0] ?? '', to: days.at(-1) ?? '', group: 'provider' } as const;
  const usage = useQuery({ ...usageQuery(project, wanted), refetchInterval: REFRESH_MS });
  const spending = useQuery({ ...spendingQuery(project), refetchInterval: REFRESH_MS });
  const today = days.at(-1);
  const providers = useQuery(providersQuery(project, '24h'));
  const wasTried = providers.data?.providers.some(({ figures }) => figures.asked > 0) ?? false;
  return (
    <Page
      title="Overview"
      description="Calls and cost of this project, providers in trouble, and the latest sessions. It updates itself."
    >
      <NoProvider />
      <FirstSteps />
      <Region query={spending} what="The spending">
        {(data) => <Month spending={data} />}
      </Region>
      <section className="stack-tight">
        <SectionHead title={`Calls of the last ${DAYS} days`}>
          <CopyCurl path={usagePath(wanted)} />
        </SectionHead>
        <Region
          query={usage}
          what="The calls"
          isEmpty={(rows) => rows.length === 0}
          empty={
            <EmptyState
              icon="chart"
              text={
                wasTried
                  ? 'No provider could be reached: see the providers in trouble.'
                  : 'No provider was called yet. A search from here or by a key shows up at once.'
              }
            />
          }
        >
          {(rows) => (
            <div className="stack-tight">
              <Tiles>
                <Tile
                  name="Calls today"
                  value={<Whole value={totalOf(rows.filter(({ day }) => day === today)).calls} />}
                  remark="since midnight in UTC"
                />
                <Tile
                  name={`Calls in ${DAYS} days`}
                  value={<Whole value={totalOf(rows).calls} />}
                />
                <Tile name={`Cost in ${DAYS} days`} value={<Money usd={totalOf(rows).costUsd} />} />
              </Tiles>
              <Chart
                title="Calls by day and provider, UTC"
                points={days.map((day) => Date.parse(day))}
                series={seriesOf(rows, days, {
                  group: 'provider',
                  metric: 'calls',
                  nameOf: (id) => id ?? '',
                })}
                format={wholeText}
                pointText={(at) => new Date(at).toISOString().slice(0, 10)}
              />
            </div>
          )}
        </Region>
      </section>
      <ProvidersInTrouble />
      <LatestSessions />
    </Page>
  );
}

const REFRESH_MS = 60_000;

function Month({ spending }: { readonly spending: ProjectSpending }) {
  const { budget_usd: budget, spent_usd: spent, from } = spending;
  const share = budget ? spent / budget : null;
  return (
    <Tiles>
      <Tile
        name={`Spent in ${from.slice(0, 7)}`}
        value={<Money usd={spent} />}
        remark={
          share === null || budget === null ? (
            'the project has no budget'
          ) : (
            <>
              <Meter label="Budget of the project used" share={share} />
              {shareText(share)} of {moneyText(budget)}
            </>
          )
        }
      />
      <Tile
        name="At the end of the month"
        value={<Projected of={spending} />}
        remark="at the rate of the last 7 days"
      />
    </Tiles>
  );
}
