import { Link } from '@tanstack/react-router';
import { isApiError } from '@trawl/client/http';
import {
  DEFAULT_TIER,
  type InteractionOutcome,
  outcomeOfStatus,
  TIERS,
} from '@trawl/contract/vocabulary';
import { useMemo, useState } from 'react';
import { Status, type Tone } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Note } from '../../parts/note.tsx';
import { wholeText } from '../../parts/number-text.ts';
import { Peek } from '../../parts/peek.tsx';
import { EmptyState } from '../../parts/region.tsx';
import { type Tab, Tabs } from '../../parts/tabs.tsx';
import { certain, type PlannedRequest } from '../../requests/planned.ts';
import { programsOf } from '../../requests/programs.ts';
import { optionsOf } from './draft.ts';
import { FetchResults } from './fetch-results.tsx';
import { Merged } from './merged-results.tsx';
import { matrixOf, sharedBy } from './result-matrix.ts';
import type { Marking, ShownPage } from './run-column.tsx';
import type { RunState } from './run-state.ts';
import { SearchResults } from './search-results.tsx';
import { SideBySide } from './side-by-side.tsx';

export const TABS = ['results', 'merged', 'side-by-side', 'json', 'code'] as const;
export type TabName = (typeof TABS)[number];

interface RunPanelProps {
  readonly project: string;
  readonly baseUrl: string;
  /** As it is in the form. */
  readonly request: PlannedRequest;
  readonly state: RunState | null;
  readonly tab: TabName;
  readonly onTab: (tab: TabName) => void;
  readonly marked: string | null;
  readonly onMark: (url: string | null) => void;
  readonly onFetch: (url: string) => void;
  readonly onRetry: () => void;
}

/** The answer, in each of its views. */
export function RunPanel(props: RunPanelProps) {
  const { request, state, baseUrl, tab, onTab } = props;
  const [reading, setReading] = useState<ShownPage | null>(null);
  const marking = useMarking(props, setReading);
  const views = state ? viewsOf(state, marking) : NO_VIEWS;
  const tabs: readonly Tab<TabName>[] = [
    { value: 'results', label: 'Results', content: views.results },
    ...(request.mode === 'search'
      ? [
          { value: 'merged' as const, label: 'Merged', content: views.merged },
          { value: 'side-by-side' as const, label: 'Rank map', content: views.sideBySide },
        ]
      : []),
    { value: 'json', label: 'JSON', content: views.json },
    { value: 'code', label: 'Code', content: <CodeTab request={request} baseUrl={baseUrl} /> },
  ];
  const shown = tabs.some(({ value }) => value === tab) ? tab : 'results';
  return (
    <div className="stack">
      {state && <Outcome {...props} state={state} />}
      <Tabs label="Views of the answer" value={shown} onChange={onTab} tabs={tabs} />
      {reading && <Reader reading={reading} onClose={() => setReading(null)} />}
    </div>
  );
}

function useMarking(
  { state, marked, onMark, onFetch }: RunPanelProps,
  onRead: (reading: ShownPage) => void,
): Marking {
  const runs = state?.runs;
  const shared = useMemo(() => sharedIn(runs ?? []), [runs]);
  return { marked, onMark, onRead, shared, onFetch };
}

/** By query: a page that one provider found for two queries is not shared. */
function sharedIn(runs: RunState['runs']): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const index of new Set(runs.map((run) => run.batch_index))) {
    const rows = matrixOf(runs.filter((run) => run.batch_index === index));
    for (const [url, count] of sharedBy(rows)) all.set(url, Math.max(count, all.get(url) ?? 0));
  }
  return all;
}

const BEFORE = <EmptyState icon="play" text="Run the request to see what each provider answers." />;
const NO_VIEWS = { results: BEFORE, merged: BEFORE, sideBySide: BEFORE, json: BEFORE };

function viewsOf(state: RunState, marking: Marking) {
  const tier = TIERS.find((each) => each === optionsOf(state.request).tier) ?? DEFAULT_TIER;
  return {
    results:
      state.request.mode === 'search' ? (
        <SearchResults state={state} {...marking} />
      ) : (
        <FetchResults state={state} tier={tier} {...marking} />
      ),
    merged: <Merged runs={state.runs} {...marking} />,
    sideBySide: <SideBySide runs={state.runs} {...marking} />,
    json: <JsonTab state={state} />,
  };
}

/** The path of what was recorded. A failed request may be billed, and is recorded then. */
function recordOf({ answer, error }: RunState): string | undefined {
  if (answer) return `${answer.session_id}/${answer.interaction_id}`;
  const isRecorded = isApiError(error) && error.sessionId && error.interactionId;
  return isRecorded ? `${error.sessionId}/${error.interactionId}` : undefined;
}

/** How the request ended, and where it is recorded. It is announced when it changes. */
function Outcome({
  project,
  request,
  state,
  onRetry,
}: RunPanelProps & { readonly state: RunState }) {
  const { phase, answer, error } = state;
  const record = recordOf(state);
  return (
    <div className="stack-tight">
      <div className="row" role="status">
        <OutcomeText state={state} />
        {phase !== 'running' && state.request !== request && (
          <span className="soft">The form has changed since.</span>
        )}
        {record && (
          <Link to={`/p/${project}/sessions/${record}` as string}>
            Open the recorded interaction
          </Link>
        )}
      </div>
      {answer && (
        <p className="soft">
          Interaction <CopyableId id={answer.interaction_id} what="interaction id" />
        </p>
      )}
      {phase === 'failed' && (
        <ErrorNote what="The request did not succeed" error={error} onRetry={onRetry} />
      )}
      {phase === 'cancelled' && (
        <Note tone="warn">
          You cancelled this request. What providers were asked before is recorded, and they may
          charge for it.
        </Note>
      )}
    </div>
  );
}

const ENDED: Readonly<Record<InteractionOutcome, readonly [string, Tone]>> = {
  succeeded: ['succeeded', 'good'],
  partial: ['succeeded in part', 'warn'],
  failed: ['failed', 'bad'],
};

/** A fetch that was answered may have no page. */
function endOf(answer: NonNullable<RunState['answer']>, pages: RunState['pages']) {
  const failed = pages.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return ENDED[outcomeOfStatus(answer.status)];
  return ENDED[failed < pages.length ? 'partial' : 'failed'];
}

function OutcomeText({ state }: { readonly state: RunState }) {
  const { phase, answer, request, runs, pages, planned } = state;
  const arrived = request.mode === 'search' ? runs : pages;
  const noun = request.mode === 'search' ? 'run' : 'page';
  const failed = arrived.filter(({ status }) => status === 'failed').length;
  const count = `${arrived.length} ${arrived.length === 1 ? noun : `${noun}s`}`;
  if (phase === 'running') {
    const expected = certain(planned).length;
    // those of a fallback come in addition
    const all = expected >= arrived.length && expected > 0 ? ` of ${expected}` : '';
    return (
      <Status tone="accent">
        Running: {arrived.length}
        {all} arrived
      </Status>
    );
  }
  const text = `${count}${failed > 0 ? `, ${failed} failed` : ''}`;
  if (!answer) return <Status tone="warn">{`Not whole: ${text} arrived`}</Status>;
  const [word, tone] = endOf(answer, pages);
  return (
    <>
      <Status tone={tone}>{word}</Status>
      <span>{text}</span>
    </>
  );
}

/** The answer as it came; until it is whole, the runs or pages that arrived. */
const JsonTab = ({ state: { answer, runs, pages } }: { readonly state: RunState }) => (
  <JsonView
    label="The answer"
    fileName={answer?.interaction_id ?? 'answer'}
    value={answer ?? (runs.length > 0 ? runs : pages)}
    openLevels={3}
  />
);

/** More text than this makes a page slow. */
const SHOWN_CHARACTERS = 100_000;

interface ReaderProps {
  readonly reading: ShownPage;
  readonly onClose: () => void;
}

/** The text of a page. */
function Reader({ reading: { title, url, text }, onClose }: ReaderProps) {
  const isCut = text.length > SHOWN_CHARACTERS;
  return (
    <Peek title={title} onClose={onClose}>
      <div className="stack">
        <p>
          <ExternalLink href={url}>{url}</ExternalLink>
        </p>
        {isCut && (
          <Note>
            The first {wholeText(SHOWN_CHARACTERS)} of {wholeText(text.length)} characters. The tab
            JSON has all of them.
          </Note>
        )}
        <Markdown text={isCut ? text.slice(0, SHOWN_CHARACTERS) : text} />
      </div>
    </Peek>
  );
}

interface CodeTabProps {
  readonly request: PlannedRequest;
  readonly baseUrl: string;
}

/** The request of the form, in each language. */
const CodeTab = ({ request, baseUrl }: CodeTabProps) => (
  <div className="stack">
    <p className="soft">
      The request as it is in the form. The key is read from <code>$SERVICE_API_KEY</code>: make one
      on the page Keys.
    </p>
    {programsOf(request, baseUrl).map(({ name, text }) => (
      <section key={name} className="stack-tight" aria-label={name}>
        <h3>{name}</h3>
        <CodeBlock code={text} label={`The request by ${name}`} />
      </section>
    ))}
  </div>
);
