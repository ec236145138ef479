import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ConsoleKey, KeyCall, KeyDetails } from '@trawl/contract/console';
import { useState } from 'react';
import { hasStatus } from '../../api/error.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Chart } from '../../parts/chart.tsx';
import { wholeText } from '../../parts/number-text.ts';
import { EmptyState, Region } from '../../parts/region.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { absoluteTime, HOUR_MS } from '../../parts/time-text.ts';
import { Duration, Money, Time, Whole } from '../../parts/value.tsx';
import { sessionPath, shortId } from '../../records/paths.ts';
import { areaPath } from '../../shell/navigation.ts';
import { Page } from '../../shell/page.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeySecret, KeyStatus, makerText, Spent } from './key-columns.tsx';
import { providersOf } from './key-draft.ts';
import { keyPath, keyQuery } from './key-query.ts';
import styles from './keys.module.css';
import { type NewKey, SecretDialog } from './secret-dialog.tsx';

/** One API key: its settings, its use and its last calls. */
export default function KeyPage() {
  const { project = '', key: id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const session = useSession();
  const mayChange = isAllowed(session, projectOf(session, project), 'admin');
  const [made, setMade] = useState<NewKey | null>(null);
  const details = useQuery(keyQuery(project, id));
  const list = areaPath(project, 'keys');
  const { data } = details;
  return (
    <Page
      title={data?.key.name ?? 'Key'}
      crumbs={[{ label: 'Keys', to: list }]}
      id={{ value: id, what: 'id of the key' }}
      actions={
        data &&
        mayChange && (
          <KeyActions
            project={project}
            value={data.key}
            providers={providersOf(data)}
            onMade={setMade}
            onDeleted={() => navigate({ to: list })}
            trigger={<Button icon="more">Actions</Button>}
          />
        )
      }
    >
      {isMissing(details.error) ? (
        <EmptyState icon="key" text="There is no such key in this project. It may be deleted." />
      ) : (
        <Region query={details} what="The key">
          {(answer) => <Details project={project} answer={answer} />}
        </Region>
      )}
      {made && <SecretDialog made={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

const isMissing = (error: unknown): boolean => hasStatus(error, 404);

interface DetailsProps {
  readonly project: string;
  readonly answer: KeyDetails;
}

const Details = ({ project, answer }: DetailsProps) => (
  <div className="stack">
    <section className="card stack-tight" aria-label="Settings">
      <Settings project={project} value={answer.key} />
    </section>
    <section className="stack-tight">
      <h2>Calls of providers by hour</h2>
      <p className="soft">Requests that were refused are not recorded, and not counted here.</p>
      <UsageChart answer={answer} />
    </section>
    <section className="stack-tight">
      <h2>Last calls</h2>
      {answer.calls.length === 0 ? (
        <EmptyState icon="clock" text="No search or fetch of this key is recorded yet." />
      ) : (
        <Table
          caption="Last calls"
          columns={callColumns(project)}
          rows={answer.calls}
          rowKey={({ id }) => id}
        />
      )}
    </section>
  </div>
);

function Settings({
  project,
  value: key,
}: {
  readonly project: string;
  readonly value: ConsoleKey;
}) {
  return (
    <dl className={styles.facts}>
      <dt>Status</dt>
      <dd>
        <KeyStatus value={key} />
      </dd>
      <dt>Key</dt>
      <dd>
        <KeySecret value={key} />
      </dd>
      <dt>May</dt>
      <dd>{key.permissions.join(', ')}</dd>
      <dt>Providers</dt>
      <dd>
        {key.allowed_providers?.join(', ') ?? 'all'}
        {key.no_training && ', of these only those that train no models'}
      </dd>
      {key.replay_session !== null && (
        <>
          <dt>Answers</dt>
          <dd>
            only from the records of session{' '}
            <Link to={sessionPath(project, key.replay_session)}>{shortId(key.replay_session)}</Link>
          </dd>
        </>
      )}
      <dt>Pages</dt>
      <dd>{key.allowed_domains?.join(', ') ?? 'all'}</dd>
      <dt>Defaults</dt>
      <dd className={key.profile ? 'mono' : undefined}>
        {key.profile ? JSON.stringify(key.profile) : 'none'}
      </dd>
      <dt>Requests a minute</dt>
      <dd>{key.rate_limit === null ? 'no limit' : <Whole value={key.rate_limit} />}</dd>
      <dt>Spent this month</dt>
      <dd>
        <Spent value={key} />
      </dd>
      <dt>Expires</dt>
      <dd>{key.expires_at === null ? 'never' : <Time at={key.expires_at} isAbsolute />}</dd>
      <dt>Last used</dt>
      <dd>
        <Time at={key.last_used_at} none="never" />
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={key.created_at} isAbsolute /> {makerText(key.created_by)}
      </dd>
      <Pair project={project} label="Replaces" id={key.replaces} />
      <Pair project={project} label="Replaced by" id={key.replaced_by} />
    </dl>
  );
}

interface PairProps {
  readonly project: string;
  readonly label: string;
  readonly id: string | null;
}

const Pair = ({ project, label, id }: PairProps) =>
  id !== null && (
    <>
      <dt>{label}</dt>
      <dd>
        <a className="mono" href={`/console${keyPath(project, id)}`}>
          {id}
        </a>
      </dd>
    </>
  );

function UsageChart({ answer: { key, usage_from: from } }: Pick<DetailsProps, 'answer'>) {
  const { succeeded, failed } = key.usage;
  const start = Date.parse(from);
  return (
    <Chart
      title="Calls of providers by hour"
      points={succeeded.map((_, index) => start + index * HOUR_MS)}
      series={[
        { name: 'Succeeded', values: succeeded },
        { name: 'Failed', values: failed },
      ]}
      format={wholeText}
      pointText={hourText}
    />
  );
}

/** `11-22 14:00`, in the zone of the browser. */
const hourText = (at: number): string => absoluteTime(new Date(at)).slice(5, 16);

const callColumns = (project: string): readonly Column<KeyCall>[] => [
  {
    key: 'time',
    title: 'Time',
    cell: ({ created_at, session_id, interaction_id }) => (
      <a href={`/console${areaPath(project, 'sessions')}/${session_id}/${interaction_id}`}>
        <Time at={created_at} />
      </a>
    ),
  },
  { key: 'provider', title: 'Provider', cell: ({ provider }) => provider },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome, error_code }) => (
      <Badge
        tone={outcome === 'succeeded' ? 'good' : 'bad'}
        icon={outcome === 'succeeded' ? 'check' : 'close'}
      >
        {error_code ?? outcome}
      </Badge>
    ),
  },
  {
    key: 'latency',
    title: 'Latency',
    align: 'right',
    cell: ({ latency_ms }) => <Duration ms={latency_ms} />,
  },
  {
    key: 'cost',
    title: 'Cost',
    align: 'right',
    cell: ({ cost_usd }) => <Money usd={cost_usd} />,
  },
];
