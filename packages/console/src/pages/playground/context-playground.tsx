import { useQuery } from '@tanstack/react-query';
import type { ContextResponse, RouteRequest } from '@trawl/contract';
import { LIMITS } from '@trawl/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { callApi, streamApi } from '../../api/call.ts';
import { describeError } from '../../api/error.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { plannedPrice } from '../../requests/planned.ts';
import { ContextAnswer } from './context-answer.tsx';
import styles from './playground.module.css';

const FIELDS = [
  ['max_tokens', 'Most tokens', LIMITS.contextTokensDefault],
  ['max_pages', 'Most pages', LIMITS.contextPagesDefault],
  ['max_seconds', 'Most seconds', LIMITS.contextSecondsDefault],
  ['max_cost_usd', 'Most US dollars', ''],
] as const;
type FieldName = (typeof FIELDS)[number][0];

/** A question, what its context may take, and the context. */
export function ContextPlayground({ project }: { readonly project: string }) {
  const session = useSession();
  const mayRun = isAllowed(session, projectOf(session, project), 'member');
  const [query, setQuery] = useState('');
  const [numbers, setNumbers] = useState<Partial<Record<FieldName, string>>>({});
  const { run, cancel, isRunning, arrived, answer, error } = useContextRun(project);
  const body: SentContext = { query, ...givenNumbers(numbers) };
  const settled = { query: useSettled(query), ...givenNumbers(useSettled(numbers)) };
  const price = useContextPrice(project, settled, mayRun);
  return (
    <div className={styles.panes}>
      <form
        className={styles.form}
        aria-label="Request"
        onSubmit={(event) => {
          event.preventDefault();
          void run(body);
        }}
      >
        <div className="stack">
          <TextField
            label="Question"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
          {FIELDS.map(([name, label, standard]) => (
            <TextField
              key={name}
              label={label}
              isOptional
              inputMode="decimal"
              placeholder={String(standard)}
              value={numbers[name] ?? ''}
              onChange={({ target }) => setNumbers({ ...numbers, [name]: target.value })}
            />
          ))}
          {!mayRun && (
            <Note>You can read here. Running needs the role member in this project.</Note>
          )}
          <p role="status" className="soft">
            {price}
          </p>
          <div className="row">
            {isRunning && <Button onClick={cancel}>Cancel</Button>}
            <Button
              type="submit"
              variant="primary"
              icon="play"
              isBusy={isRunning}
              disabled={!mayRun || query.trim() === ''}
            >
              Run
            </Button>
          </div>
        </div>
      </form>
      <section className={styles.results} aria-label="Answer">
        {isRunning && <p role="status">{arrived} sources so far…</p>}
        {error !== null && <ErrorNote what="The context failed" error={error} />}
        {answer && <ContextAnswer answer={answer} />}
      </section>
    </div>
  );
}

/** What is not a number is for the server to refuse. */
function givenNumbers(numbers: Partial<Record<FieldName, string>>): Partial<SentContext> {
  const given = Object.entries(numbers).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
}

/** The price before the run, in one line. Nothing is bought. */
function useContextPrice(project: string, body: SentContext, mayRun: boolean): string {
  const { data, error } = useQuery({
    queryKey: ['playground', project, 'context-price', body],
    queryFn: ({ signal }) =>
      callApi(project, 'POST /v1/context', { query: { dry_run: true }, body, signal }),
    enabled: mayRun && body.query.trim() !== '',
    retry: false,
  });
  if (error) return `The server would refuse it: ${describeError(error).detail}`;
  return data && 'calls' in data ? `At most ${plannedPrice(data)}` : '';
}

/** The body of the request. */
type SentContext = RouteRequest<'context'>;

interface ContextRun {
  readonly isRunning: boolean;
  /** Sources whose text is there already. */
  readonly arrived: number;
  readonly answer: ContextResponse | null;
  readonly error: unknown;
}

const EMPTY: ContextRun = { isRunning: false, arrived: 0, answer: null, error: null };

/** Asks for a context and keeps the result. Leaving the page ends the request. */
function useContextRun(project: string) {
  const [state, setState] = useState(EMPTY);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const run = async (body: SentContext): Promise<void> => {
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    setState({ ...EMPTY, isRunning: true });
    const change = (part: Partial<ContextRun>) => {
      if (stop.current === own) setState((before) => ({ ...before, ...part }));
    };
    try {
      let arrived = 0;
      const events = streamApi(project, 'POST /v1/context', { body, signal: own.signal });
      for await (const { event, data } of events) {
        if (event === 'source') arrived += 1;
        change(event === 'done' ? { answer: data } : { arrived });
      }
    } catch (error) {
      if (!own.signal.aborted) change({ error });
    }
    change({ isRunning: false });
  };
  return { ...state, run, cancel: () => stop.current?.abort() };
}
