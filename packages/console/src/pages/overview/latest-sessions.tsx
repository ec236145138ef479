import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ConsoleSessionRow } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { useProjectId } from '../../api/session.ts';
import { SectionHead } from '../../figures/tiles.tsx';
import { Status, type Tone } from '../../parts/badge.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { Time, Whole } from '../../parts/value.tsx';
import { Cost, endsOf } from '../../records/cost-and-outcome.tsx';

const SHOWN = 8;
const REFRESH_MS = 15_000;

export const latestSessionsQuery = (project: string) =>
  queryOptions({
    queryKey: ['latest-sessions', project],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/sessions', {
        params: { project_id: project },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });

export function LatestSessions() {
  const project = useProjectId();
  const query = useQuery(latestSessionsQuery(project));
  return (
    <section className="stack-tight">
      <SectionHead title="Latest sessions">
        <a href={`/console/p/${project}/sessions`}>All sessions</a>
      </SectionHead>
      <Region
        query={query}
        what="The sessions"
        isEmpty={({ sessions }) => sessions.length === 0}
        empty={
          <EmptyState
            icon="sessions"
            text="No session yet. Every search and fetch makes or continues one."
          />
        }
      >
        {({ sessions }) => (
          <Table
            caption="Latest sessions"
            rows={sessions.slice(0, SHOWN)}
            rowKey={({ id }) => id}
            rowHref={({ id }) => `/console/p/${project}/sessions/${id}`}
            columns={[
              {
                key: 'input',
                title: 'First input',
                isLong: true,
                cell: ({ input, kind }) =>
                  input ?? <span className="soft">{kind} without input</span>,
              },
              { key: 'outcome', title: 'Outcome', cell: ({ outcomes }) => <Ended of={outcomes} /> },
              {
                key: 'interactions',
                title: 'Interactions',
                align: 'right',
                cell: ({ interaction_count }) => <Whole value={interaction_count} />,
              },
              {
                key: 'cost',
                title: 'Cost',
                align: 'right',
                cell: (row) => <Cost cost={row} ends={endsOf(row)} />,
              },
              {
                key: 'at',
                title: 'Last activity',
                cell: ({ latest_interaction_at }) => <Time at={latest_interaction_at} />,
              },
            ]}
          />
        )}
      </Region>
    </section>
  );
}

/** The worst of its interactions. */
function Ended({ of }: { readonly of: ConsoleSessionRow['outcomes'] }) {
  const [tone, text]: readonly [Tone, string] =
    of.failed > 0
      ? ['bad', `${of.failed} failed`]
      : of.partial > 0
        ? ['warn', `${of.partial} in part`]
        : ['good', 'succeeded'];
  return <Status tone={tone}>{text}</Status>;
}
