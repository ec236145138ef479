import { useQuery } from '@tanstack/react-query';
import { addressOf } from '@trawl/client/http';
import { useProjectId } from '../../figures/project.ts';
import { OpenJson } from '../../figures/source.tsx';
import { SectionHead } from '../../figures/tiles.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { RANKING_PATH, rankingQuery } from './routing-query.ts';
import { Why } from './trial.tsx';

/** The table in use: which providers come first on which topic, and why. */
export function Ranking() {
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
