import { type Recorded, recorded } from '@trawl/base';
import type { DryRun, FetchRequest, FetchRow, RunError, Warning } from '@trawl/contract';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Caller, checkSession, interactionHead } from '../interaction/head.ts';
import type { InteractionRecord } from '../interaction/records.ts';
import { type InteractionAnswer, interactionParts } from '../interaction/respond.ts';
import { checkBudgets, spend } from '../interaction/spend.ts';
import type { InteractionReader, InteractionStore } from '../interaction/store.ts';
import type { AsRecorded } from '../replay/recorded.ts';
import { createAnswerRoom } from './answer-room.ts';
import { droppedForSize } from './chain-result.ts';
import { checkFetch } from './check.ts';
import { type FetchCommand, fetchCommand } from './command.ts';
import { type FetchedPage, fetchRow } from './normalize.ts';
import { fetchPages, type PageDependencies, type WantedPages } from './pages.ts';
import { plannedCalls } from './price.ts';
import { fetchRecord, fetchRun, fetchRunParts } from './record.ts';
import { causesOf, isUnavailable, providerUnavailable } from './unavailable.ts';

/** The dependencies of a fetch. */
export interface FetchDependencies extends PageDependencies {
  readonly deployment: Deployment;
  readonly reader: InteractionReader;
  readonly interactions: InteractionStore;
  readonly budgets: BudgetStore;
  readonly instanceId: string;
  readonly maxFetchUrls: number;
}

export interface Fetch {
  /**
   * A fetch from checked request to recorded answer.
   * @returns the answer, after it was committed
   * @throws RequestError when the request is refused (nothing is recorded), when it could not be
   * recorded (503), or after recording, when every URL of a pinned chain failed before its target
   * was reached (502)
   */
  readonly run: (request: FetchRequest, caller: Caller) => Promise<InteractionAnswer>;
  /**
   * The first calls that `run` would make, and their prices. @throws RequestError as `run` would,
   * before anything is sent
   */
  readonly price: (request: FetchRequest, caller: Caller) => Promise<DryRun>;
  /** The request as its record would have it. */
  readonly asRecorded: (request: FetchRequest) => AsRecorded;
}

export function createFetch(dependencies: FetchDependencies): Fetch {
  const price = (planned: PlannedFetch, caller: Caller) =>
    plannedCalls(planned, caller, dependencies);
  return {
    run: async (request, caller) => {
      const planned = await planFetch(request, caller, dependencies);
      const priceOf = () => price(planned, caller);
      const work = () => executeFetch(planned, caller, dependencies);
      const { record, rows, failure } = await spend(caller, priceOf, dependencies, work);
      if (failure !== undefined) throw providerUnavailable(failure, record.id, record.sessionId);
      const texts = rows.map(({ text }) => text);
      return {
        text: interactionParts(record),
        parts: () => texts.map((text) => ({ event: 'page', text })),
      };
    },
    asRecorded: (request) => recordedFetch(fetchCommand(request)),
    price: async (request, caller) => {
      const calls = await price(await planFetch(request, caller, dependencies), caller);
      await checkBudgets(caller, calls, dependencies.budgets);
      return dryRun(calls);
    },
  };
}

const recordedFetch = ({ urls, given }: FetchCommand) => ({
  userInput: { urls },
  request: { fetch: given },
});

interface PlannedFetch extends WantedPages {
  readonly command: FetchCommand;
}

/** Checks a fetch, and plans the providers for its pages. */
async function planFetch(
  request: FetchRequest,
  caller: Caller,
  { deployment, maxFetchUrls, reader }: FetchDependencies,
): Promise<PlannedFetch> {
  const command = fetchCommand(request);
  const checked = checkFetch(command, deployment, maxFetchUrls, caller);
  await checkSession(command.sessionId, caller, reader);
  return { options: command.options, command, ...checked };
}

interface ExecutedFetch {
  readonly record: InteractionRecord;
  readonly rows: readonly Recorded<FetchRow>[];
  /** Why no page was reached; undefined = the request did not fail. */
  readonly failure: RunError | undefined;
}

function withNotes(page: FetchedPage, notes: readonly Warning[]): FetchedPage {
  if (notes.length === 0) return page;
  return { ...page, result: { ...page.result, warnings: [...notes, ...page.result.warnings] } };
}

/** Executes a planned fetch, and makes its record. */
async function executeFetch(
  planned: PlannedFetch,
  caller: Caller,
  dependencies: FetchDependencies,
): Promise<ExecutedFetch> {
  const { clock, deployment } = dependencies;
  const { chain, command, notes, options } = planned;
  const startedAt = clock.now();
  const pages: FetchedPage[] = [];
  const rows: Recorded<FetchRow>[] = [];
  const room = createAnswerRoom();
  await fetchPages(planned, caller, dependencies, (index, found) => {
    const landed = withNotes(found, [...(caller.notes ?? []), ...notes]);
    const whole = fetchRow(landed, options, deployment);
    const fits = room.take(whole);
    const page = fits ? landed : { ...landed, result: droppedForSize(landed.result) };
    const row = recorded<FetchRow>(fits ? whole : fetchRow(page, options, deployment));
    pages[index] = page;
    rows[index] = row;
    caller.emit?.({ event: 'page', text: row.text });
  });
  const values = rows.map(({ value }) => value);
  const run = fetchRun(command, chain, values, {
    id: clock.newId(),
    latencyMs: Math.max(0, Math.round(clock.now() - startedAt)),
    causes: isUnavailable(options, pages) ? causesOf(pages) : null,
  });
  const facts = {
    sessionId: command.sessionId,
    userId: null,
    ...recordedFetch(command),
    metadata: command.metadata,
    status: run.status,
    normalizedSchemaVersion: null,
    routing: null,
  };
  const head = interactionHead(facts, caller, dependencies);
  const parts = fetchRunParts(run, rows);
  const record = fetchRecord(head, { id: run.id, parts }, pages, clock.newId);
  caller.observer?.executed(record);
  return { record, rows, failure: run.error ?? undefined };
}
