import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useIsAllowed, useProjectId } from '../../figures/project.ts';
import { Meter } from '../../figures/tiles.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { TextField } from '../../parts/field.tsx';
import { EmptyState, Forbidden, Region } from '../../parts/region.tsx';
import { Table } from '../../parts/table.tsx';
import { encodePlainRequest } from '../../requests/link.ts';
import { type RoutingTrial, trialQuery } from './routing-query.ts';

interface TryProps {
  /** From the address. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

/** What auto-routing would do with a query. Nothing is searched, and nothing is paid. */
export function TryRouting({ query, onQuery }: TryProps) {
  const project = useProjectId();
  const mayTry = useIsAllowed('member');
  const [written, setWritten] = useState(query);
  const trial = useQuery({ ...trialQuery(project, query), enabled: mayTry && query !== '' });
  if (!mayTry) return <Forbidden what="The routing of a query" neededRole="member" />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onQuery(written.trim());
  };
  return (
    <div className="stack">
      <form className="stack-tight" onSubmit={submit}>
        <TextField
          label="Query"
          hint="Nothing is searched: you see the topic, and which providers would run."
          value={written}
          maxLength={2_000}
          onChange={(event) => setWritten(event.target.value)}
        />
        <div>
          <Button type="submit" variant="primary" disabled={written.trim() === ''}>
            Show the routing
          </Button>
        </div>
      </form>
      {query === '' ? (
        <EmptyState icon="route" text="Write a query to see where auto-routing would send it." />
      ) : (
        <Region query={trial} what="The routing of this query" neededRole="member">
          {(found) => <Found trial={found} />}
        </Region>
      )}
    </div>
  );
}

function Found({ trial }: { readonly trial: RoutingTrial }) {
  const project = useProjectId();
  return (
    <div className="stack">
      <p className="row">
        Topic <Badge tone="accent">{trial.topic}</Badge> with a score of{' '}
        <span className="number">{trial.score.toFixed(3)}</span>, by the {trial.judge}.
        <a href={playgroundLink(project, trial.query)}>Search it in the playground</a>
      </p>
      <section className="stack-tight">
        <h2>What would run</h2>
        <Table
          caption="Providers that would run"
          rows={trial.chosen}
          rowKey={({ provider }) => provider}
          columns={[
            { key: 'provider', title: 'Provider', cell: ({ provider }) => provider },
            {
              key: 'place',
              title: 'Place',
              align: 'right',
              cell: ({ place }) => place ?? <span className="soft">not ranked</span>,
            },
            { key: 'reason', title: 'Why', isLong: true, cell: (row) => <Why {...row} /> },
          ]}
        />
      </section>
      <section className="stack-tight">
        <h2>Why not the others</h2>
        <Table
          caption="Providers that would not run"
          rows={trial.others}
          rowKey={({ provider }) => provider}
          columns={[
            { key: 'provider', title: 'Provider', cell: ({ provider }) => provider },
            { key: 'reason', title: 'Why not', isLong: true, cell: ({ reason }) => reason },
          ]}
        />
      </section>
      <section className="stack-tight">
        <h2>How the topic was found</h2>
        <p className="soft">
          {trial.evidence.length > 0
            ? `Evidence, strongest first: ${trial.evidence.join('; ')}.`
            : 'No word or pattern in particular.'}
        </p>
        <Table
          caption="Scores of all topics"
          rows={trial.scores}
          rowKey={({ topic }) => topic}
          columns={[
            { key: 'topic', title: 'Topic', cell: ({ topic }) => topic },
            {
              key: 'score',
              title: 'Score',
              align: 'right',
              cell: ({ score }) => score.toFixed(3),
            },
            {
              key: 'bar',
              title: 'Compared',
              cell: ({ topic, score }) => <Meter label={`Score of ${topic}`} share={score} />,
            },
          ]}
        />
      </section>
    </div>
  );
}

export const Why = ({
  reason,
  source,
}: {
  readonly reason: string;
  readonly source: string | null;
}) => (
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

/** The address of the playground with this query and auto-routing, below `/console`. */
function playgroundLink(project: string, query: string): string {
  const body = { user_input: { query }, search: { auto_routing: 'accuracy' } };
  const request = encodePlainRequest({ mode: 'search', body });
  return `/console/p/${project}/playground${request === null ? '' : `?r=${request}`}`;
}
