import { useQuery } from '@tanstack/react-query';
import { addressOf } from '@trawl/client/http';
import { csvText } from '@trawl/contract/csv';
import { useProjectId, useSession } from '../../api/session.ts';
import { lastDays } from '../../figures/range.ts';
import { CopyCurl } from '../../figures/source.tsx';
import { SectionHead, Tile, Tiles } from '../../figures/tiles.tsx';
import { Button } from '../../parts/button.tsx';
import { Chart } from '../../parts/chart.tsx';
import { moneyText, wholeText } from '../../parts/number-text.ts';
import { EmptyState, Region } from '../../parts/region.tsx';
import { saveText } from '../../parts/save-file.ts';
import { Select } from '../../parts/select.tsx';
import { Table } from '../../parts/table.tsx';
import { Money, Whole } from '../../parts/value.tsx';
import { Page } from '../../shell/page.tsx';
import { oneOf, useUrlState } from '../../url-state/url-state.ts';
import { Budgets, Projected } from './budgets.tsx';
import { ProjectsUsage } from './projects-usage.tsx';
import {
  GROUPS,
  type Group,
  type ProjectSpending,
  spendingQuery,
  type UsageRow,
  usagePath,
  usageQuery,
} from './usage-query.ts';
import {
  type GroupSum,
  groupSums,
  type Metric,
  seriesOf,
  servedOf,
  totalOf,
} from './usage-sums.ts';

const DAYS = ['7', '30', '90'] as const;
const STATE = {
  days: oneOf(DAYS, '30'),
  by: oneOf<Group>(GROUPS, 'provider'),
  metric: oneOf<Metric>(['cost', 'calls'], 'cost'),
};

const TITLES: Readonly<Record<Group, string>> = {
  provider: 'Provider',
  key_id: 'Key',
  user_id: 'User',
  key_tail: 'Provider key',
};

export default function UsagePage() {
  const project = useProjectId();
  const { projects } = useSession();
  const [state, change] = useUrlState(STATE);
  const days = lastDays(Number(state.days));
  const wanted = { from: days[0] ?? '', to: days.at(-1) ?? '', group: state.by };
  const usage = useQuery(usageQuery(project, wanted));
  const spending = useQuery(spendingQuery(project));
  const nameOf = nameIn(state.by, spending.data);
  return (
    <Page
      title="Usage"
      description="Calls and cost of this project, from the ledger. Days are in UTC."
    >
      <div className="row">
        <Select
          aria-label="Days"
          value={state.days}
          options={DAYS.map((value) => ({ value, label: `Last ${value} days` }))}
          onChange={(value) => change({ days: value })}
        />
        <Select
          aria-label="Group by"
          value={state.by}
          options={GROUPS.map((value) => ({ value, label: `By ${TITLES[value].toLowerCase()}` }))}
          onChange={(by) => change({ by })}
        />
        <Select
          aria-label="Figure"
          value={state.metric}
          options={[
            { value: 'cost', label: 'Cost' },
            { value: 'calls', label: 'Calls' },
          ]}
          onChange={(metric) => change({ metric })}
        />
      </div>
      <Region
        query={usage}
        what="The usage"
        isEmpty={(rows) => rows.length === 0}
        empty={
          <EmptyState
            icon="chart"
            text="No provider was called in this time. Each search and fetch of this project is counted here."
          />
        }
      >
        {(rows) => (
          <div className="stack">
            <Totals rows={rows} spending={spending.data} />
            <SectionHead title={`${TITLES[state.by]}s by day`}>
              <CopyCurl path={usagePath(wanted)} />
              <Button
                size="small"
                icon="download"
                onClick={() =>
                  saveText(csvOf(rows, nameOf, state.by), fileNameOf(wanted), 'text/csv')
                }
              >
                CSV
              </Button>
            </SectionHead>
            <Chart
              title={`${state.metric === 'cost' ? 'Cost' : 'Calls'} by day and ${TITLES[state.by].toLowerCase()}, UTC`}
              points={days.map((day) => Date.parse(day))}
              series={seriesOf(rows, days, { group: state.by, metric: state.metric, nameOf })}
              format={state.metric === 'cost' ? moneyText : wholeText}
              pointText={(at) => new Date(at).toISOString().slice(0, 10)}
            />
            <UsageTable
              caption={`Usage by ${TITLES[state.by].toLowerCase()}`}
              title={TITLES[state.by]}
              sums={groupSums(rows, state.by, state.metric)}
              nameOf={nameOf}
            />
          </div>
        )}
      </Region>
      <Region query={spending} what="The budgets">
        {(data) => <Budgets spending={data} address={spendingAddress(project)} />}
      </Region>
      {projects.length > 1 && <ProjectsUsage days={days} />}
    </Page>
  );
}

export const spendingAddress = (project: string): string =>
  addressOf('/console/api/projects/{project_id}/spending', { project_id: project });

function Totals({
  rows,
  spending,
}: {
  readonly rows: readonly UsageRow[];
  readonly spending: ProjectSpending | undefined;
}) {
  const total = totalOf(rows);
  const served = servedOf(rows);
  return (
    <Tiles>
      <Tile
        name="Calls"
        value={<Whole value={total.calls} />}
        remark="in this time, retries included"
      />
      <Tile
        name="Cost"
        value={<Money usd={total.costUsd} />}
        remark={
          total.unpricedCalls > 0
            ? `without ${wholeText(total.unpricedCalls)} calls of unknown cost`
            : 'of all calls'
        }
      />
      {served.calls > 0 && (
        <Tile
          name="Saved"
          value={<Money usd={served.savedUsd} />}
          remark={`by ${wholeText(served.calls)} recorded answers`}
        />
      )}
      {spending && (
        <Tile
          name={`Spent in ${spending.from.slice(0, 7)}`}
          value={<Money usd={spending.spent_usd} />}
          remark={
            spending.budget_usd === null
              ? 'the project has no budget'
              : `of a budget of ${moneyText(spending.budget_usd)}`
          }
        />
      )}
      {spending && (
        <Tile
          name="At the end of the month"
          value={<Projected of={spending} />}
          remark="at the rate of the last 7 days"
        />
      )}
    </Tiles>
  );
}

/** How a group is called. A key that was deleted keeps its name. */
function nameIn(
  group: Group,
  spending: ProjectSpending | undefined,
): (id: string | null) => string {
  const keys = new Map(spending?.keys.map(({ key_id, name, state }) => [key_id, { name, state }]));
  return (id) => {
    if (id === null) return 'without a user';
    if (group !== 'key_id') return id;
    const key = keys.get(id);
    if (key === undefined) return id;
    return key.state === 'deleted' ? `${key.name} (deleted)` : key.name;
  };
}

const fileNameOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `usage-${from}-${to}.csv`;

/** The rows of the chart, one per day and group. */
function csvOf(
  rows: readonly UsageRow[],
  nameOf: (id: string | null) => string,
  group: Group,
): string {
  const isKey = group === 'key_id';
  const columns = group === 'key_tail' ? (['provider', 'key_tail'] as const) : [group];
  return csvText(
    [
      'day',
      ...columns,
      ...(isKey ? ['key_name'] : []),
      'calls',
      'unpriced_calls',
      'cost_usd',
      'cached_calls',
      'saved_usd',
    ],
    rows.map((row) => [
      row.day ?? '',
      ...columns.map((column) => row[column] ?? null),
      ...(isKey ? [nameOf(row.key_id ?? null)] : []),
      row.calls,
      row.unpriced_calls,
      row.cost_usd,
      row.cached_calls,
      row.saved_usd,
    ]),
  );
}

interface UsageTableProps {
  readonly caption: string;
  /** What the rows are: «Provider». */
  readonly title: string;
  readonly sums: readonly GroupSum[];
  readonly nameOf: (id: string | null) => string;
}

/** Calls and cost of each group, over all days of the span. */
const UsageTable = ({ caption, title, sums, nameOf }: UsageTableProps) => (
  <Table
    caption={caption}
    rows={sums}
    rowKey={({ id }) => id ?? '\u0000'}
    columns={[
      { key: 'name', title, cell: ({ id }) => nameOf(id) },
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
        cell: ({ costUsd }) => <Money usd={costUsd} />,
      },
      {
        key: 'unpriced',
        title: 'Calls of unknown cost',
        align: 'right',
        cell: ({ unpricedCalls }) => <Whole value={unpricedCalls} />,
      },
    ]}
  />
);
