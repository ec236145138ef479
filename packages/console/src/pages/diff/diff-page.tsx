import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { InteractionDiff } from '@trawl/contract';
import { callApi } from '../../api/call.ts';
import { Facts } from '../../parts/facts.tsx';
import { Note } from '../../parts/note.tsx';
import { Region } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/value.tsx';
import { interactionPath, sessionPath, shortId } from '../../records/paths.ts';
import { areaPath } from '../../shell/navigation.ts';
import { Page } from '../../shell/page.tsx';
import { CostAndTime } from './cost-and-time.tsx';
import styles from './diff.module.css';
import { diffTotals, type QueryDiff, totalsText } from './diff-rows.ts';
import { RunRows } from './run-rows.tsx';

/** Two searches side by side: rows that came, went, moved and changed, cost and time. */
export default function DiffPage() {
  const { project = '', session = '', interaction = '', other = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: [project, 'diff', interaction, other],
    queryFn: ({ signal }) =>
      callApi(project, 'GET /v1/interactions/{interaction_id}/diff', {
        params: { interaction_id: interaction },
        query: { with: other },
        signal,
      }),
    // records do not change
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page
      title="What changed"
      crumbs={[
        { label: 'Sessions', to: areaPath(project, 'sessions') },
        { label: `Session ${shortId(session)}`, to: sessionPath(project, session) },
        {
          label: `Interaction ${shortId(interaction)}`,
          to: interactionPath(project, session, interaction),
        },
      ]}
    >
      <Region query={query} what="The comparison">
        {(diff) => <Diff project={project} diff={diff} />}
      </Region>
    </Page>
  );
}

interface DiffProps {
  readonly project: string;
  readonly diff: InteractionDiff;
}

function Diff({ project, diff }: DiffProps) {
  const { before, after, queries } = diff;
  const totals = diffTotals(diff);
  const isSame = totals.added + totals.gone + totals.moved + totals.changed === 0;
  return (
    <div className={`stack ${styles.page}`}>
      <div className="card">
        <Facts
          of={[
            ['Before', <SearchLink key="before" project={project} search={before} />],
            ['After', <SearchLink key="after" project={project} search={after} />],
            ['Rows', totalsText(totals)],
          ]}
        />
      </div>
      {isSame && <Note>Every row that both searches have is the same, at the same rank.</Note>}
      <Section
        title="Cost and time"
        description="Of each provider before, after, and the difference."
      >
        <CostAndTime queries={queries} />
      </Section>
      {queries.map((query) => (
        <Section key={query.batch_index} title={queryTitle(query, queries.length)}>
          {query.before !== query.after && <OtherQuery query={query} />}
          {query.runs.map((run) => (
            <RunRows key={run.provider} project={project} diff={diff} run={run} />
          ))}
        </Section>
      ))}
    </div>
  );
}

interface SearchLinkProps {
  readonly project: string;
  readonly search: InteractionDiff['before'];
}

const SearchLink = ({
  project,
  search: { session_id, interaction_id, created_at },
}: SearchLinkProps) => (
  <span className="row">
    <Link to={interactionPath(project, session_id, interaction_id)}>{shortId(interaction_id)}</Link>
    <Time at={created_at} isAbsolute />
  </span>
);

function queryTitle({ batch_index: index, after, before }: QueryDiff, count: number): string {
  const query = after ?? before ?? '';
  return count > 1 ? `Query ${index + 1}: ${query}` : query;
}

/** Queries are compared by their place, so two of one place may differ. */
const OtherQuery = ({ query: { before, after } }: { readonly query: QueryDiff }) => (
  <Note tone="warn">
    {before === null && 'The earlier search has no such query.'}
    {after === null && 'The later search has no such query.'}
    {before !== null && after !== null && (
      <>
        The earlier search asked: <q dir="auto">{before}</q>
      </>
    )}
  </Note>
);
