import type { PostprocessorRun } from '@trawl/contract';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { Legend } from './result-values.tsx';
import styles from './results.module.css';
import { AwaitedColumn, type Marking, RunColumn } from './run-column.tsx';
import { awaited, type RunState } from './run-state.ts';

interface SearchResultsProps extends Marking {
  readonly state: RunState;
}

/** Each query with a column for each provider. */
export function SearchResults({ state, ...marking }: SearchResultsProps) {
  const waiting = awaited(state);
  const indexes = [
    ...state.runs.map((run) => run.batch_index),
    ...waiting.map((call) => call.batch_index ?? 0),
  ];
  const count = Math.max(0, ...indexes) + 1;
  return (
    <div className="stack">
      <Legend />
      {Array.from({ length: count }, (_, index) => {
        const runs = state.runs.filter((run) => run.batch_index === index);
        const query = runs[0]?.query;
        const routing = state.answer?.routing?.[index];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a query is known by its place
          <section key={index} className="stack" aria-label={`Query ${index + 1}`}>
            {count > 1 && (
              <h2 className={styles.queryName}>
                {index + 1}. {query}
              </h2>
            )}
            {routing && (
              <Note>
                {routing.topic === null
                  ? 'The topic is not known; the default providers ran.'
                  : `Topic ${routing.topic}: ${routing.providers.join(', ')} ran.`}
              </Note>
            )}
            <section
              className={styles.columns}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus
              tabIndex={0}
              aria-label="Providers, next to each other"
            >
              {runs.map((run) => (
                <RunColumn
                  key={run.id}
                  run={run}
                  planned={state.planned.find(
                    ({ provider, batch_index: at = 0 }) =>
                      provider === run.preprocessor_name && at === index,
                  )}
                  {...marking}
                />
              ))}
              {waiting
                .filter((call) => (call.batch_index ?? 0) === index)
                .map(({ provider }) => (
                  <AwaitedColumn key={provider} provider={provider} />
                ))}
            </section>
            {state.answer?.postprocessor_runs
              .filter((run) => run.batch_index === index)
              .map((run) => (
                <Postprocessed key={run.id} run={run} />
              ))}
          </section>
        );
      })}
    </div>
  );
}

interface Merged {
  readonly rank?: number;
  readonly url?: string;
  readonly title?: string | null;
}

/** What a postprocessor made: its list, where it has one. All of it is in the tab JSON. */
function Postprocessed({
  run: { postprocessor_name: name, output_payload, error },
}: {
  readonly run: PostprocessorRun;
}) {
  const { results, sources } = output_payload as Readonly<Record<string, unknown>>;
  const list = [results, sources].find((each) => Array.isArray(each)) as
    | readonly Merged[]
    | undefined;
  return (
    <section className={styles.column} aria-label={name}>
      <header className={styles.head}>
        <h3>{name}</h3>
      </header>
      {error && <Note tone="bad">{String(error.message)}</Note>}
      <ol>
        {list?.map(({ url = '', title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is what it says
          <li key={index}>
            <ExternalLink href={url}>{title || url}</ExternalLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
