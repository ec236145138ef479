import { useMutation, useQuery } from '@tanstack/react-query';
import type { DryRun } from '@trawl/contract';
import { type FormEvent, useId, useState } from 'react';
import { callApi } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Field, TextArea, TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { moneyText } from '../../parts/number-text.ts';
import { Select } from '../../parts/select.tsx';
import { type PlannedRequest, plannedPrice } from '../../requests/planned.ts';
import { isAlive, keysQuery } from '../keys/key-query.ts';
import {
  emptyRequest,
  isRunnable,
  queriesOf,
  textOf,
  urlsOf,
  withMembers,
  withQueries,
} from '../playground/draft.ts';
import { everyText, INTERVALS, useRefresh } from './watch-query.ts';

const CREATE = 'POST /v1/watches';
const MODES = [
  { value: 'search', label: 'a search' },
  { value: 'fetch', label: 'pages' },
] as const;

interface NewWatchProps {
  readonly project: string;
  /** What it asks for at first, such as a recorded search. */
  readonly request: PlannedRequest;
  readonly onClose: () => void;
}

/** Makes a watch of a search or of pages. Its price is shown before. */
export function NewWatch(props: NewWatchProps) {
  const form = useId();
  const draft = useNewWatch(props);
  const { asked, plan, make } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (plan.data && !make.isPending) make.mutate();
  };
  return (
    <Dialog
      isOpen
      isWide
      title="New watch"
      description="Asks the same again and again, and keeps what is new. The first run follows at once."
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            disabled={!plan.data}
            isBusy={make.isPending}
          >
            Make watch
          </Button>
        </>
      }
    >
      <form id={form} className="stack" noValidate onSubmit={submit}>
        {draft.mayChange && (
          <Field label="Watch">
            {(control) => (
              <Select
                {...control}
                value={asked.mode}
                onChange={(mode) => {
                  draft.setAsked(withText(emptyRequest(mode), textAsked(asked)));
                  draft.setChosen('');
                }}
                options={MODES}
              />
            )}
          </Field>
        )}
        <TextArea
          label={asked.mode === 'search' ? 'Search for' : 'Read these pages'}
          hint={asked.mode === 'search' ? 'One query in each line.' : 'One URL in each line.'}
          rows={3}
          value={textAsked(asked)}
          onChange={({ target }) => draft.setAsked(withText(asked, target.value))}
        />
        <TextField
          label="Name"
          isOptional
          value={draft.name}
          onChange={({ target }) => draft.setName(target.value)}
        />
        <Field label="Run it">
          {(control) => (
            <Select
              {...control}
              value={draft.every}
              onChange={draft.setEvery}
              options={INTERVALS.map((value) => ({ value, label: everyText(Number(value)) }))}
            />
          )}
        </Field>
        <KeyField draft={draft} />
        <p role="status">{plan.data && 'runs_per_day' in plan.data && priceText(plan.data)}</p>
        {plan.error && <ErrorNote error={plan.error} what="The server would refuse it" />}
        {make.error && <ErrorNote error={make.error} what="The watch was not made" />}
      </form>
    </Dialog>
  );
}

/** What is written for a new watch, what it would cost, and making it. */
function useNewWatch({ project, request, onClose }: NewWatchProps) {
  const refresh = useRefresh(project);
  const [asked, setAsked] = useState(request);
  const [name, setName] = useState('');
  const [every, setEvery] = useState<(typeof INTERVALS)[number]>('1440');
  const [chosen, setChosen] = useState('');
  const keys = useQuery(keysQuery(project)).data?.keys.filter(
    (key) => isAlive(key) && key.permissions.some((each) => each === asked.mode),
  );
  const keyId = chosen || keys?.[0]?.id || '';
  const { session_id: _own, ...wanted } = withoutBlanks(asked).body;
  const mayChange = !isRunnable(request);
  const body = {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    interval_minutes: Number(every),
    [asked.mode]: wanted,
  };
  const plan = useQuery({
    queryKey: [project, 'watches', 'price', keyId, asked, every],
    queryFn: ({ signal }) =>
      callApi(project, CREATE, { query: { as_key: keyId, dry_run: true }, body, signal }),
    enabled: textAsked(asked).trim() !== '' && keyId !== '',
    retry: false,
  });
  const make = useMutation({
    mutationFn: async () => {
      await callApi(project, CREATE, { query: { as_key: keyId }, body });
      await refresh();
      onClose();
    },
  });
  return {
    asked,
    mayChange,
    setAsked,
    name,
    setName,
    every,
    setEvery,
    keys,
    keyId,
    setChosen,
    plan,
    make,
  };
}

/** The key under which the watch runs. */
function KeyField({ draft }: { readonly draft: ReturnType<typeof useNewWatch> }) {
  const { asked, keys, keyId, setChosen } = draft;
  if (keys?.length === 0) {
    return (
      <Note tone="warn">
        A watch runs under an API key, with its limits and budget. Make a key first that may{' '}
        {asked.mode}.
      </Note>
    );
  }
  return (
    <Field label="Under the key" hint="Its limits and budget hold, and its end stops the watch.">
      {(control) => (
        <Select
          {...control}
          value={keyId}
          onChange={setChosen}
          options={(keys ?? []).map((key) => ({ value: key.id, label: key.name }))}
        />
      )}
    </Field>
  );
}

interface Price extends DryRun {
  readonly runs_per_day: number;
  readonly usd_per_day: number | null;
}

function priceText(price: Price): string {
  const { runs_per_day: runs, usd_per_day: usd } = price;
  const perDay = usd === null ? 'a price that is not known' : `about ${moneyText(usd)}`;
  const count = runs >= 1 ? `${runs} a day` : `one in ${Math.round(1 / runs)} days`;
  return `Each run makes ${plannedPrice(price)}; ${count} for ${perDay} a day.`;
}

const textAsked = (request: PlannedRequest): string =>
  request.mode === 'fetch'
    ? urlsOf(request).join('\n')
    : queriesOf(request)
        .map(({ query }) => textOf(query))
        .join('\n');

/** Lines without text are written on the way to the next one. */
function withoutBlanks(request: PlannedRequest): PlannedRequest {
  if (request.mode === 'fetch')
    return withMembers(request, { urls: urlsOf(request).filter((url) => url.trim() !== '') });
  const filled = queriesOf(request).filter(({ query }) => textOf(query).trim() !== '');
  return withQueries(request, filled);
}

/** Options of the queries that stay in their place are kept. */
function withText(request: PlannedRequest, text: string): PlannedRequest {
  const lines = text.split('\n');
  if (request.mode === 'fetch') return withMembers(request, { urls: lines });
  const before = queriesOf(request);
  return withQueries(
    request,
    lines.map((query, index) => ({ ...before[index], query })),
  );
}
