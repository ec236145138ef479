import { useQuery } from '@tanstack/react-query';
import { addressOf } from '@trawl/client/http';
import { useProjectId } from '../../api/session.ts';
import { OpenJson } from '../../figures/source.tsx';
import { SectionHead } from '../../figures/tiles.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Page } from '../../shell/page.tsx';
import { oneOf, useUrlState } from '../../url-state/url-state.ts';
import { RANKING_PATH, rankingQuery } from './routing-query.ts';
import { Report, type ReportDays } from './routing-report.tsx';

const STATE = {
  tab: oneOf(['ranking', 'report'], 'ranking'),
  days: oneOf<ReportDays>(['7', '30', '90'], '30'),
};

export default function RoutingPage() {
  const [state, change] = useUrlState(STATE);
  return (
    <Page
      title="Routing"
      description="Which providers auto-routing asks on each topic, why, and what the records say about it. For one query: trawl routing explain."
    >
      <Tabs
        label="Routing"
        value={state.tab}
        onChange={(tab) => change({ tab })}
        tabs={[
          { value: 'ranking', label: 'Ranking', content: <Ranking /> },
          {
            value: 'report',
            label: 'Report',
            content: <Report days={state.days} onDays={(days) => change({ days })} />,
          },
        ]}
      />
    </Page>
  );
}

/** The table in use: which providers come first on which topic, and why. */
function Ranking() {
  const project = useProjectId();
  const query = useQuery(rankingQuery(project));
  return (
    <Region query={query} what="The ranking">
      {({ version, topics }) => (
        <div className="stack">
          <SectionHead title={`Ranking of ${version}`}>
            <OpenJson address={addressOf(RANKING_PATH, { project_id: project })} />
          </SectionHead>
          <p className="soft">
            A query goes to the first three providers of its topic that have a credential. The
            operator of the server can replace the table: ROUTING_FILE.
          </p>
          {topics.map(({ topic, routed, places }) => (
            <section key={topic} className="stack-tight">
              <h3>{topic}</h3>
              {routed && places.length > 0 ? (
                <Table
                  caption={`Ranking of ${topic}`}
                  rows={places}
                  rowKey={({ provider }) => provider}
                  columns={[
                    {
                      key: 'provider',
                      title: 'Provider',
                      cell: ({ place, provider, configured }) => (
                        <>
                          {place}. {provider} {!configured && <Badge tone="warn">no key</Badge>}
                        </>
                      ),
                    },
                    { key: 'reason', title: 'Why', isLong: true, cell: (row) => <Why {...row} /> },
                  ]}
                />
              ) : (
                <p className="soft">
                  Not routed: no provider is better on it, so the default providers run.
                </p>
              )}
            </section>
          ))}
        </div>
      )}
    </Region>
  );
}

const Why = ({ reason, source }: { readonly reason: string; readonly source: string | null }) => (
  <>
    {reason}
    {source !== null && (
      <>
        {' '}
        <ExternalLink href={source}>Source</ExternalLink>
      </>
    )}
  </>
);
