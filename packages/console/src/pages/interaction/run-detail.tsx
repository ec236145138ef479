import { Link } from '@tanstack/react-router';
import type { InteractionDetails, SearchOutput } from '@trawl/contract';
import { Badge } from '../../parts/badge.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../parts/number-text.ts';
import { EmptyState } from '../../parts/region.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Money } from '../../parts/value.tsx';
import { hostOf } from '../../parts/web-address.ts';
import { Outcome } from '../../records/cost-and-outcome.tsx';
import { Failure, Warnings } from '../../records/failures.tsx';
import { interactionPath, shortId } from '../../records/paths.ts';
import { oneOf, useUrlState } from '../../url-state/url-state.ts';
import { Pages } from './fetched-pages.tsx';
import styles from './interaction.module.css';
import { PageText } from './page-text.tsx';
import type { RunRow } from './waterfall.ts';

type Preprocessor = InteractionDetails['preprocessor_runs'][number];

const STATE = { show: oneOf(['found', 'sent', 'answer', 'json'], 'found') };

interface RunDetailProps {
  /** Id of the project. */
  readonly project: string;
  readonly interaction: InteractionDetails;
  readonly row: RunRow;
}

/** One run: why it failed, what it found, the request and the answer. */
export function RunDetail({ project, interaction, row }: RunDetailProps) {
  const run = interaction.preprocessor_runs.find(({ id }) => id === row.id);
  if (!run) return <PostprocessorDetail project={project} interaction={interaction} row={row} />;
  const warnings = run.output_payload?.warnings ?? run.error?.warnings ?? [];
  return (
    <section className="card stack" aria-label={`Run of ${row.name}`}>
      <div className="row">
        <h2>{row.name}</h2>
        <Outcome of={run.status} />
      </div>
      {run.query !== '' && <p dir="auto">{run.query}</p>}
      {run.error && <Failure code={run.error.code} of="run" message={run.error.message} />}
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <Calls project={project} row={row} />
      <Parts run={run} />
    </section>
  );
}

function PostprocessorDetail({ interaction, row }: RunDetailProps) {
  const run = interaction.postprocessor_runs.find(({ id }) => id === row.id);
  if (!run) return null;
  const { code, message } = run.error ?? {};
  return (
    <section className="card stack" aria-label={`Run of ${row.name}`}>
      <div className="row">
        <h2>{row.name}</h2>
        <Outcome of={run.status} />
      </div>
      {typeof code === 'string' && (
        <Failure code={code} of="run" {...(typeof message === 'string' ? { message } : {})} />
      )}
      <JsonView
        value={run.output_payload}
        label="Output of the postprocessor"
        fileName={row.name}
      />
    </section>
  );
}

/** What the ledger has of the run: one row per provider that was called. */
function Calls({ project, row }: Pick<RunDetailProps, 'project' | 'row'>) {
  if (row.calls.length === 0) return null;
  return (
    <Facts
      of={row.calls.map((call) => [
        row.name === call.provider
          ? counted(call.calls, 'call')
          : `${call.provider}, ${counted(call.calls, 'call')}`,
        <span key={call.provider}>
          {call.cached_from ? <ServedFrom project={project} call={call} /> : notServed(call)}{' '}
          <span className="soft">
            {call.cost_source === 'reported' && 'as the provider reports'}
            {call.cost_source === 'price_list' && 'by the list of prices'}
            {call.error_code}
            {call.key_tail !== null && `, key …${call.key_tail}`}
          </span>
        </span>,
      ])}
    />
  );
}

const notServed = ({ calls, cost_usd }: RunRow['calls'][number]) =>
  calls === 0 ? 'not called' : <Money usd={cost_usd} />;

/** That a recorded answer was served, with the way to it while it is there. */
function ServedFrom({
  project,
  call,
}: {
  readonly project: string;
  readonly call: RunRow['calls'][number];
}) {
  const { cached_from: source, saved_usd: saved } = call;
  if (source === null) return null;
  const { interaction_id: id, session_id: session } = source;
  return (
    <>
      <Badge>from the record</Badge>{' '}
      {session === null ? (
        'of an interaction that was deleted'
      ) : (
        <Link to={interactionPath(project, session, id)}>{shortId(id)}</Link>
      )}
      {saved !== null && (
        <>
          , saved <Money usd={saved} />
        </>
      )}
    </>
  );
}

function Parts({ run }: { readonly run: Preprocessor }) {
  const [{ show }, change] = useUrlState(STATE);
  return (
    <Tabs
      label="Parts of the run"
      value={show}
      onChange={(next) => change({ show: next })}
      tabs={[
        { value: 'found', label: 'Found', content: <Found run={run} /> },
        {
          value: 'sent',
          label: 'Sent',
          content: (
            <JsonView
              value={run.request_payload}
              label="What was sent, without credentials"
              fileName={`sent-${run.id}`}
              openLevels={4}
            />
          ),
        },
        { value: 'answer', label: 'Raw answer', content: <RawAnswer run={run} /> },
        {
          value: 'json',
          label: 'JSON',
          content: <JsonView value={run} label="The run" fileName={`run-${run.id}`} />,
        },
      ]}
    />
  );
}

function Found({ run: { output_payload: output } }: { readonly run: Preprocessor }) {
  if (output === null) {
    return (
      <EmptyState icon="search" text="The run failed, so it found nothing. The reason is above." />
    );
  }
  if ('fetched_results' in output) return <Pages rows={output.fetched_results} />;
  return <Results output={output} />;
}

function RawAnswer({ run }: { readonly run: Preprocessor }) {
  if (run.raw_payload !== null) {
    return (
      <JsonView
        value={run.raw_payload}
        label="The provider’s own answer"
        fileName={`answer-${run.id}`}
      />
    );
  }
  return (
    <Note>
      The provider’s own answer is kept only where the request asks for it: run it again with{' '}
      <code>include_raw</code>. Fetches keep none.
    </Note>
  );
}

/** What a search run found, best first. */
function Results({ output }: { readonly output: SearchOutput }) {
  const { results, answer } = output;
  if (results.length === 0 && !answer) {
    return (
      <EmptyState
        icon="search"
        text="The provider answered, and found nothing for this query: ask in other words, or add a provider."
      />
    );
  }
  return (
    <div className="stack">
      {answer && (
        <section aria-label="Answer of the provider">
          <h3>Answer</h3>
          <PageText text={answer.text} name="answer" />
        </section>
      )}
      <p className="soft">{counted(results.length, 'result')}</p>
      <ol className={styles.results}>
        {results.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places
          <li key={index} value={row.rank ?? index + 1}>
            <ResultRow row={row} />
          </li>
        ))}
      </ol>
    </div>
  );
}

type Row = SearchOutput['results'][number];

function ResultRow({ row }: { readonly row: Row }) {
  const texts = [
    ['Summary', row.summary],
    ['Excerpt', row.excerpt],
  ] as const;
  return (
    <article className="stack-tight">
      <p className={styles.title} dir="auto">
        <ExternalLink href={row.url}>{row.title ?? 'no title'}</ExternalLink>
      </p>
      {row.url !== undefined && (
        <p className={`soft ${styles.url}`}>
          <Badge>{hostOf(row.url)}</Badge> {row.url}
        </p>
      )}
      {texts.map(([name, text]) =>
        text ? (
          <p key={name} className={styles.text} dir="auto">
            {text}
          </p>
        ) : null,
      )}
      {row.full_content && (
        <details>
          <summary>Page text</summary>
          <PageText text={row.full_content} name="page" />
        </details>
      )}
    </article>
  );
}
