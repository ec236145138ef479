import { useQuery } from '@tanstack/react-query';
import { addressOf } from '@trawl/client/http';
import { useProjectId } from '../../api/session.ts';
import { OpenJson } from '../../figures/source.tsx';
import { SectionHead } from '../../figures/tiles.tsx';
import { shareText } from '../../parts/number-text.ts';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Select } from '../../parts/select.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Duration, Money, NotReported, Whole } from '../../parts/value.tsx';
import { REPORT_PATH, type ReportTopic, reportQuery } from './routing-query.ts';

const DAYS = ['7', '30', '90'] as const;
export type ReportDays = (typeof DAYS)[number];

interface ReportProps {
  readonly days: ReportDays;
  readonly onDays: (days: ReportDays) => void;
}

/** Failures, latency, cost and feedback by topic, next to the ranking in use. */
export function Report({ days, onDays }: ReportProps) {
  const project = useProjectId();
  const query = useQuery(reportQuery(project, Number(days)));
  const address = addressOf(REPORT_PATH, { project_id: project }, { days });
  return (
    <div className="stack">
      <SectionHead title="Searches by topic">
        <Select
          aria-label="Days"
          value={days}
          options={DAYS.map((value) => ({ value, label: `Last ${value} days` }))}
          onChange={onDays}
        />
        <OpenJson address={address} />
      </SectionHead>
      <Region
        query={query}
        what="The report"
        isEmpty={({ topics }) => topics.length === 0}
        empty={<EmptyState icon="route" text="No search was recorded in this time." />}
      >
        {({ topics, left_out }) => (
          <>
            {topics.map((topic) => (
              <Topic key={topic.topic} topic={topic} />
            ))}
            <p className="soft">
              Helped: runs with a result marked used or right, of all runs on queries with feedback.
              Brackets hold the interval that a share is in with a certainty of 95 %.
              {left_out
                .filter(({ runs }) => runs > 0)
                .map(
                  ({ reason, runs }) =>
                    ` ${runs} runs are left out: ${LEFT_OUT[reason] ?? reason}.`,
                )}
            </p>
          </>
        )}
      </Region>
    </div>
  );
}

const LEFT_OUT: Readonly<Record<string, string>> = {
  older: 'their topic was not recorded',
  deleted: 'their session was deleted',
};

const Topic = ({ topic }: { readonly topic: ReportTopic }) => (
  <section className="stack-tight">
    <h3>
      {topic.topic}: {topic.runs} runs, {topic.judged_queries} queries with feedback
    </h3>
    <Table
      caption={`Report on ${topic.topic}`}
      rows={topic.providers}
      rowKey={({ provider }) => provider}
      columns={COLUMNS}
    />
    {topic.findings.map((finding) => (
      <p key={finding}>{finding}</p>
    ))}
  </section>
);

type Row = ReportTopic['providers'][number];
type Interval = NonNullable<Row['failed']>;
const right = 'right' as const;

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'provider',
    title: 'Provider',
    cell: ({ place, provider }) => `${place === null ? '–' : `${place}.`} ${provider}`,
  },
  { key: 'runs', title: 'Runs', align: right, cell: ({ runs }) => <Whole value={runs} /> },
  { key: 'failed', title: 'Failed', align: right, cell: ({ failed }) => <Within of={failed} /> },
  {
    key: 'helped',
    title: 'Helped',
    align: right,
    cell: ({ helped }) => <Within of={helped.share} />,
  },
  {
    key: 'verdicts',
    title: 'Used / right / wrong',
    align: right,
    cell: ({ verdicts }) => verdicts.map(({ results }) => results).join(' / '),
  },
  {
    key: 'p50',
    title: 'Median',
    align: right,
    cell: ({ latency_ms }) => <Duration ms={latency_ms.p50} />,
  },
  {
    key: 'p90',
    title: 'p90',
    align: right,
    cell: ({ latency_ms }) => <Duration ms={latency_ms.p90} />,
  },
  {
    key: 'cost',
    title: 'Cost of a call',
    align: right,
    cell: ({ cost_per_call_usd: cost }) => <Money usd={cost} />,
  },
];

/** A share and its interval. */
const Within = ({ of }: { readonly of: Interval | null }) =>
  of === null ? (
    <NotReported />
  ) : (
    <span className="number">
      {shareText(of.mean)} ({shareText(of.low)} to {shareText(of.high)})
    </span>
  );
