import { isApiError } from '@trawl/client/http';
import { useState } from 'react';
import { describeError } from '../../api/error.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Note } from '../../parts/note.tsx';
import { Skeleton } from '../../parts/region.tsx';
import { type PlannedRequest, plannedPrice } from '../../requests/planned.ts';
import { emptyRequest, type Mode } from './draft.ts';
import { FetchForm } from './fetch-form.tsx';
import styles from './form.module.css';
import { SearchForm } from './search-form.tsx';
import { Segmented } from './segmented.tsx';
import type { Draft } from './use-draft.ts';
import { useProviderPrices } from './use-plan.ts';
import type { Work } from './use-work.ts';

interface RequestPaneProps {
  readonly draft: Draft;
  readonly work: Work;
  readonly project: string;
}

const MODES = [
  { value: 'search', label: 'Search' },
  { value: 'fetch', label: 'Fetch' },
] as const;

/** The form, and what running it would cost. */
export function RequestPane({ draft, work, project }: RequestPaneProps) {
  const { request, change, version, fault, isReady } = draft;
  const [others, setOthers] = useState<Partial<Record<Mode, PlannedRequest>>>({});
  if (!isReady) return <Skeleton />;
  const choose = (mode: Mode) => {
    setOthers({ ...others, [request.mode]: request });
    change(others[mode] ?? emptyRequest(mode));
  };
  return (
    <div className="stack">
      <Segmented
        label="Mode"
        isLabelHidden
        value={request.mode}
        segments={MODES}
        onChange={choose}
      />
      {fault === 'unreadable' && (
        <Note tone="warn">The link holds no request that can be read. The form is empty.</Note>
      )}
      {fault === 'too-long' && (
        <Note tone="warn">
          The request is too long for a link: the address does not hold its latest state.
        </Note>
      )}
      {!work.mayRun && (
        <Note>You can read here. Running needs the role member in this project.</Note>
      )}
      <RequestForm
        key={`${version} ${request.mode}`}
        project={project}
        request={request}
        work={work}
        onChange={change}
      />
    </div>
  );
}

interface RequestFormProps {
  readonly project: string;
  readonly request: PlannedRequest;
  readonly work: Work;
  readonly onChange: (request: PlannedRequest) => void;
}

function RequestForm({ project, request, work, onChange }: RequestFormProps) {
  const { choices, error, retry } = work.roster;
  const priced = choices.filter(({ lack }) => lack === undefined && work.mayRun);
  const prices = useProviderPrices(
    project,
    request,
    priced.map(({ slug }) => slug),
  );
  const form = {
    ...{ request, choices, onChange, error: work.error, onUnreadable: work.onUnreadable },
    runBar: <RunBar work={work} />,
  };
  return (
    <>
      {error && <ErrorNote what="The providers could not be read" error={error} onRetry={retry} />}
      {request.mode === 'search' ? (
        <SearchForm {...form} prices={prices} />
      ) : (
        <FetchForm {...form} />
      )}
    </>
  );
}

/** The price before the run, and the buttons. */
function RunBar({ work }: { readonly work: Work }) {
  const { plan, isRunning, obstacle, canRun, run, cancel } = work;
  return (
    <div className={styles.runBar}>
      <div role="status" className={styles.price}>
        {obstacle ?? <PriceText plan={plan} />}
      </div>
      <div className="row">
        {isRunning && (
          <Button icon="stop" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button
          variant="primary"
          icon="play"
          isBusy={isRunning}
          disabled={!canRun}
          onClick={run}
          title="Ctrl or Cmd and Enter"
        >
          Run
        </Button>
      </div>
    </div>
  );
}

function PriceText({ plan }: { readonly plan: Work['plan'] }) {
  const { data, error } = plan;
  if (error) {
    const isRefused = isApiError(error) && error.status !== null && error.status < 500;
    return (
      <span className={styles.refused}>
        {isRefused ? 'The server would refuse it' : 'The price is not known'}:{' '}
        {describeError(error).detail}
      </span>
    );
  }
  if (!data) return <span className="soft">Asking for the price…</span>;
  return <span className={plan.isCurrent ? undefined : 'soft'}>{plannedPrice(data)}</span>;
}
