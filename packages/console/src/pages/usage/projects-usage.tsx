import { useQuery } from '@tanstack/react-query';
import { addressOf } from '@trawl/client/http';
import { OpenJson } from '../../figures/source.tsx';
import { SectionHead } from '../../figures/tiles.tsx';
import { Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { DAY_MS } from '../../parts/time-text.ts';
import { Money, Whole } from '../../parts/value.tsx';
import { projectsUsageQuery } from './usage-query.ts';

/** The projects of the person next to each other, in the same days. */
export function ProjectsUsage({ days }: { readonly days: readonly string[] }) {
  const from = new Date(Date.parse(days[0] ?? '')).toISOString();
  const to = new Date(Date.parse(days.at(-1) ?? '') + DAY_MS).toISOString();
  const query = useQuery(projectsUsageQuery({ from, to }));
  return (
    <section className="stack-tight">
      <SectionHead title="Your projects">
        <OpenJson address={addressOf('/console/api/usage', {}, { from, to })} />
      </SectionHead>
      <Region query={query} what="The usage of your projects">
        {({ rows }) => (
          <Table
            caption="Usage by project"
            rows={rows}
            rowKey={({ project_id }) => project_id}
            columns={[
              {
                key: 'name',
                title: 'Project',
                cell: ({ name, project_id }) => (
                  <a href={`/console/p/${project_id}/usage`}>{name}</a>
                ),
              },
              {
                key: 'calls',
                title: 'Calls',
                align: 'right',
                cell: ({ calls }) => <Whole value={calls} />,
              },
              {
                key: 'cost',
                title: 'Cost',
                align: 'right',
                cell: ({ cost_usd }) => <Money usd={cost_usd} />,
              },
              {
                key: 'unpriced',
                title: 'Calls of unknown cost',
                align: 'right',
                cell: ({ unpriced_calls }) => <Whole value={unpriced_calls} />,
              },
            ]}
          />
        )}
      </Region>
    </section>
  );
}
