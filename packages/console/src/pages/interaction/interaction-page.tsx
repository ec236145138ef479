import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import type { ConsoleInteraction } from '@trawl/contract/console';
import { useMemo } from 'react';
import { useShortcuts } from '../../keys/shortcuts.ts';
import { IconButton } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../parts/number-text.ts';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Duration, Time } from '../../parts/value.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { Cost, Outcome } from '../../records/cost-and-outcome.tsx';
import { interactionPath, sessionPath, shortId } from '../../records/paths.ts';
import { interactionQuery } from '../../records/record-queries.ts';
import { meaningOfWarning } from '../../records/warning-meaning.ts';
import { areaPath } from '../../shell/navigation.ts';
import { Page } from '../../shell/page.tsx';
import { optional, useUrlState } from '../../url-state/url-state.ts';
import { Again, Reproduce } from './again.tsx';
import styles from './interaction.module.css';
import { RunDetail } from './run-detail.tsx';
import { type RunRow, spentOn, waterfall } from './waterfall.ts';

const STATE = { run: optional() };

/** One interaction: its routing, its runs over time, and one of the runs in full. */
export default function InteractionPage() {
  const { project = '', session = '', interaction = '' } = useParams({ strict: false });
  const query = useQuery(interactionQuery(project, interaction));
  return (
    <Page
      title={query.data ? titleOf(query.data) : `Interaction ${shortId(interaction)}`}
      crumbs={[
        { label: 'Sessions', to: areaPath(project, 'sessions') },
        { label: `Session ${shortId(session)}`, to: sessionPath(project, session) },
      ]}
      id={{ value: interaction, what: 'interaction id' }}
      actions={
        query.data && (
          <>
            <Neighbours project={project} session={session} facts={query.data.facts} />
            <Reproduce interaction={query.data.interaction} />
            <Again
              key={interaction}
              project={project}
              session={session}
              interaction={query.data.interaction}
            />
          </>
        )
      }
    >
      <Region query={query} what="The interaction">
        {(data) => <Interaction data={data} />}
      </Region>
    </Page>
  );
}

const TITLE_MAX = 80;

function titleOf({
  interaction: { trajectory_goal: goal, user_input: input },
}: ConsoleInteraction) {
  const [firstQuery]: readonly unknown[] = Array.isArray(input?.queries) ? input.queries : [];
  const [firstUrl]: readonly unknown[] = Array.isArray(input?.urls) ? input.urls : [];
  const inner = firstQuery as { readonly query?: unknown } | undefined;
  const found = [goal, input?.query, inner?.query, firstUrl].find(
    (text) => typeof text === 'string',
  );
  if (typeof found !== 'string') return 'Interaction';
  return found.length > TITLE_MAX ? `${[...found].slice(0, TITLE_MAX).join('')}…` : found;
}

interface NeighboursProps {
  readonly project: string;
  readonly session: string;
  readonly facts: ConsoleInteraction['facts'];
}

/** The interactions before and after this one in its session. */
function Neighbours({ project, session, facts }: NeighboursProps) {
  const navigate = useNavigate();
  const goTo = (id: string | null) => {
    if (id !== null) void navigate({ to: interactionPath(project, session, id) });
  };
  const { previous_id: previous, next_id: next } = facts;
  useShortcuts([
    { keys: 'j', label: 'Next interaction of the session', run: () => goTo(next) },
    { keys: 'k', label: 'Previous interaction of the session', run: () => goTo(previous) },
  ]);
  return (
    <>
      <IconButton
        icon="chevron-up"
        label="Previous interaction (K)"
        disabled={previous === null}
        onClick={() => goTo(previous)}
      />
      <IconButton
        icon="chevron-down"
        label="Next interaction (J)"
        disabled={next === null}
        onClick={() => goTo(next)}
      />
    </>
  );
}

function Interaction({ data: { facts, interaction } }: { readonly data: ConsoleInteraction }) {
  const { project = '' } = useParams({ strict: false });
  const [state, change] = useUrlState(STATE);
  const runs = useMemo(() => waterfall(interaction, facts.calls), [interaction, facts]);
  const failed = runs.filter(({ status }) => status === 'failed');
  const selected = runs.find(({ id }) => id === state.run) ?? failed[0] ?? runs[0];
  const select = ({ id }: RunRow) => change({ run: id });
  const nextFailure = () => {
    const place = failed.findIndex(({ id }) => id === selected?.id);
    const next = failed[(place + 1) % failed.length];
    if (next) select(next);
  };
  useShortcuts([{ keys: '.', label: 'Next failure', run: nextFailure }]);
  const took = Date.parse(interaction.completed_at) - Date.parse(interaction.created_at);
  return (
    <div className={`stack ${styles.page}`}>
      <div className="card">
        <Facts
          of={[
            ['Outcome', <Outcome key="outcome" of={facts.outcome} />],
            ['When', <Time key="time" at={interaction.created_at} isAbsolute />],
            ['Duration', <Duration key="duration" ms={took} />],
            [
              'Cost',
              <Cost
                key="cost"
                cost={spentOn(facts.calls)}
                ends={facts.calls.map(({ outcome }) => outcome)}
              />,
            ],
            ['Key', facts.key.name ?? `deleted key ${shortId(facts.key.id)}`],
            ['User', facts.user_id ?? 'none'],
            [
              'Trajectory',
              <span key="trajectory" className="row">
                <code>{shortId(interaction.trajectory_id)}</code>
                <CopyButton text={interaction.trajectory_id} label="Copy the trajectory id" />
              </span>,
            ],
          ]}
        />
      </div>
      <Failures failed={failed} total={runs.length} />
      <Routing interaction={interaction} />
      {runs.length === 0 ? (
        <EmptyState icon="plug" text="No provider was asked: this step only has metadata." />
      ) : (
        <Runs runs={runs} selected={selected?.id} onSelect={select} />
      )}
      {selected && (
        <RunDetail key={selected.id} project={project} interaction={interaction} row={selected} />
      )}
      <details>
        <summary>Request and metadata</summary>
        <JsonView
          value={{ user_input: interaction.user_input, metadata: interaction.metadata }}
          label="Request and metadata"
          fileName={`request-${interaction.interaction_id}`}
          openLevels={3}
        />
      </details>
    </div>
  );
}

function Failures({
  failed,
  total,
}: {
  readonly failed: readonly RunRow[];
  readonly total: number;
}) {
  if (failed.length === 0) return null;
  const names = [
    ...new Set(failed.map(({ name, errorCode }) => `${name} (${errorCode ?? 'failed'})`)),
  ];
  return (
    <Note tone={failed.length === total ? 'bad' : 'warn'}>
      {failed.length} of {total} runs failed: {names.join(', ')}. The run below says why and what to
      do; <kbd>.</kbd> goes to the next one.
    </Note>
  );
}

interface RunsProps {
  readonly runs: readonly RunRow[];
  readonly selected: string | undefined;
  readonly onSelect: (run: RunRow) => void;
}

const ROW_HEIGHT = 52;

/** All runs with how long they took. One of them is shown below. */
function Runs({ runs, selected, onSelect }: RunsProps) {
  return (
    <section className="stack-tight" aria-label="Waterfall of runs">
      <p className="soft">
        The record says how long each run took, not when it began: bars start together
        {runs.some(({ isFallback }) => isFallback) &&
          ', those of a fallback behind the runs that they replace'}
        .
      </p>
      <VirtualList
        label="Runs"
        role="list"
        items={runs}
        itemKey={({ id }) => id}
        rowHeight={ROW_HEIGHT}
        height="40vh"
        renderItem={(run) => (
          <button
            type="button"
            className={classNames(styles.run, run.status === 'failed' && styles.failed)}
            aria-current={run.id === selected || undefined}
            onClick={() => onSelect(run)}
          >
            <span className={styles.runName}>
              <Icon
                name={run.status === 'failed' ? 'alert' : run.isPostprocessor ? 'route' : 'plug'}
              />
              <span className="cut">
                <strong>{run.name}</strong> <span dir="auto">{run.query}</span>
              </span>
            </span>
            <span className={styles.track} aria-hidden="true">
              {run.share !== null && (
                <span style={{ marginLeft: `${run.start * 100}%`, width: `${run.share * 100}%` }} />
              )}
            </span>
            <span className={styles.runFacts}>
              {run.status === 'failed' ? <span>{run.errorCode ?? 'failed'}</span> : null}
              {run.isFallback && <span>fallback</span>}
              {run.found !== null && <span>{counted(run.found, 'row')}</span>}
              {run.warningCount > 0 && <span>{counted(run.warningCount, 'warning')}</span>}
              <Duration ms={run.latencyMs} />
              {!run.isPostprocessor && (
                <Cost cost={spentOn(run.calls)} ends={run.calls.map(({ outcome }) => outcome)} />
              )}
            </span>
          </button>
        )}
      />
    </section>
  );
}

interface RoutingProps {
  readonly interaction: InteractionDetails;
}

/** Why these providers ran. */
function Routing({ interaction: { routing, user_input: input } }: RoutingProps) {
  if (routing === null) return null;
  const queries: readonly unknown[] = Array.isArray(input?.queries) ? input.queries : [];
  return (
    <section className="card stack-tight" aria-label="Routing">
      <h2>Routing</h2>
      <p className="soft">
        The service chose the providers by the topic of each query. Scores are for comparison only.
      </p>
      <ol className={styles.results}>
        {routing.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one entry for each query, in order
          <li key={index}>
            {queries.length > 1 && <span className="soft">Query {index + 1}: </span>}
            <strong>{entry.topic ?? 'no topic'}</strong>
            {entry.topic === null && ` ${meaningOfWarning('routing_unavailable')}`}
            {typeof entry.score === 'number' && ` (score ${entry.score.toFixed(2)})`}:{' '}
            {entry.providers.join(', ')}
          </li>
        ))}
      </ol>
    </section>
  );
}
