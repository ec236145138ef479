import { type Recorded, recorded } from '@trawl/base';
import type { DryRun, FetchRow, PlannedCall, RunError, Warning } from '@trawl/contract';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Caller, checkSession, interactionHead } from '../interaction/head.ts';
import type { InteractionRecord } from '../interaction/records.ts';
import { type InteractionAnswer, interactionParts } from '../interaction/respond.ts';
import { checkBudgets, spend } from '../interaction/spend.ts';
import type { InteractionReader, InteractionStore } from '../interaction/store.ts';
import type { AsRecorded } from '../replay/recorded.ts';
import { RequestError } from '../requests/request-error.ts';
import { createAnswerRoom } from './answer-room.ts';
import { droppedForSize } from './chain-result.ts';
import { chainFor, checkFetch, underWebRules } from './check.ts';
import { type AskedFetch, type FetchCommand, fetchCommand, type PageOptions } from './command.ts';
import { type CostRoom, createCostRoom } from './cost-room.ts';
import { type FetchedPage, fetchRow } from './normalize.ts';
import { fetchPages, type PageDependencies, type WantedPages } from './pages.ts';
import { callsOfAnyPage, checkCap, mostCalls, type PricedPages, plannedCalls } from './price.ts';
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
  readonly run: (request: AskedFetch, caller: Caller) => Promise<InteractionAnswer>;
  /**
   * The first calls that `run` would make, their prices, and the most that it may cost.
   * @throws RequestError as `run` would, before anything is sent
   */
  readonly price: (request: AskedFetch, caller: Caller) => Promise<DryRun>;
  /**
   * The calls for one page whose URL is not known yet, the dearest first one before those that may
   * follow.
   * @throws RequestError for providers that are unknown, or that the key may not use
   */
  readonly anyPage: (options: AskedFetch['options'], caller: Caller) => readonly PlannedCall[];
  /** Whether the key and the web rules allow this URL, and a provider of the chain accepts it. */
  readonly mayFetch: (url: string, options: AskedFetch['options'], caller: Caller) => boolean;
  /** The request as its record would have it. */
  readonly asRecorded: (request: AskedFetch) => AsRecorded;
}

export function createFetch(dependencies: FetchDependencies): Fetch {
  return {
    run: async (request, caller) => {
      const planned = await planFetch(request, caller, dependencies);
      const { options } = planned;
      let priced: Promise<PricedPages> | undefined;
      const price = () => {
        priced ??= plannedCalls(planned, caller, dependencies);
        return priced;
      };
      const room = options.maxCostUsd === null ? undefined : roomOf(await price(), options);
      const capped = { ...planned, room };
      const priceOf = async () => mostCalls(await price(), options);
      const work = () => executeFetch(capped, caller, dependencies);
      const { record, rows, failure } = await spend(caller, priceOf, dependencies, work);
      if (failure !== undefined) throw providerUnavailable(failure, record.id, record.sessionId);
      const texts = rows.map(({ text }) => text);
      return {
        text: interactionParts(record),
        parts: () => texts.map((text) => ({ event: 'page', text })),
      };
    },
    anyPage: (options, caller) => {
      const { options: page } = fetchCommand({ urls: [], options });
      const { chain } = chainFor(page, dependencies.deployment, caller.allowedProviders);
      return callsOfAnyPage(chain, page);
    },
    mayFetch: (url, options, caller) => {
      const { deployment, maxFetchUrls } = dependencies;
      const command = fetchCommand({ urls: [url], options });
      try {
        checkFetch(command, deployment, maxFetchUrls, caller);
        return caller.rules.ofUrl(url) === null;
      } catch (error) {
        if (error instanceof RequestError) return false;
        throw error;
      }
    },
    asRecorded: (request) => recordedFetch(fetchCommand(request)),
    price: async (request, caller) => {
      const planned = await planFetch(request, caller, dependencies);
      const priced = await plannedCalls(planned, caller, dependencies);
      checkCap(priced, planned.options);
      const most = mostCalls(priced, planned.options);
      await checkBudgets(caller, most, dependencies.budgets);
      const { max_total_usd } = dryRun(priced.first, most.slice(priced.first.length));
      const isMore = priced.next.length > 0 && max_total_usd !== undefined;
      return { ...dryRun(priced.first), ...(isMore && { max_total_usd }) };
    },
  };
}

const recordedFetch = ({ urls, given, context }: FetchCommand) => ({
  userInput: { urls },
  request: { fetch: given, context },
});

/** @throws RequestError 402 */
function roomOf(priced: PricedPages, options: PageOptions): CostRoom {
  checkCap(priced, options);
  const first = new Map(priced.asked.map((call) => [call.url ?? '', call]));
  return createCostRoom({ maxCostUsd: options.maxCostUsd ?? 0, first });
}

interface PlannedFetch extends WantedPages {
  readonly command: FetchCommand;
}

/** Checks a fetch, and plans the providers for its pages. */
async function planFetch(
  request: AskedFetch,
  caller: Caller,
  { deployment, maxFetchUrls, reader }: FetchDependencies,
): Promise<PlannedFetch> {
  const command = fetchCommand(request);
  const checked = checkFetch(command, deployment, maxFetchUrls, caller);
  const ruled = underWebRules(command, checked.targets, caller.rules);
  await checkSession(command.sessionId, caller, reader);
  return { options: command.options, ...checked, ...ruled };
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
