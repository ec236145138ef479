import { jsonText } from '@trawl/base';
import type { DryRun, FetchRequest, FetchRow } from '@trawl/contract';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import type { ConfiguredFetchProvider, Deployment } from '../deployment/deployment.ts';
import { type Caller, checkSession, interactionHead } from '../interaction/head.ts';
import type { InteractionRecord } from '../interaction/records.ts';
import { type RunText, recordedParts, type TextParts } from '../interaction/respond.ts';
import { checkBudgets, spend } from '../interaction/spend.ts';
import type { InteractionReader, InteractionStore } from '../interaction/store.ts';
import { createAnswerRoom } from './answer-room.ts';
import { crowdedOut } from './chain-result.ts';
import { type CheckedFetch, checkFetch } from './check.ts';
import { type FetchCommand, fetchCommand, fetchRequestPayload } from './command.ts';
import { type FetchedPage, fetchRow } from './normalize.ts';
import { fetchPages, type PageDependencies } from './pages.ts';
import { plannedCalls } from './price.ts';
import { type FetchRun, fetchRecord, fetchRunText, RUN_NAME } from './record.ts';
import { isUnavailable, providerUnavailable, unavailableError } from './unavailable.ts';

/** What a fetch reaches outside itself. */
export interface FetchDependencies extends PageDependencies {
  readonly deployment: Deployment;
  readonly reader: InteractionReader;
  readonly interactions: InteractionStore;
  readonly budgets: BudgetStore;
  readonly instanceId: string;
  readonly maxFetchUrls: number;
}

/**
 * A fetch from checked request to recorded answer.
 * @returns the answer's JSON, after it was committed
 * @throws RequestError when the request is refused (nothing is recorded), when it could not be recorded (503), or after
 *   recording, when every URL of a pinned chain failed before its target was reached (502)
 */
export async function runFetch(
  request: FetchRequest,
  caller: Caller,
  dependencies: FetchDependencies,
): Promise<TextParts> {
  const checked = await checkedFetch(request, caller, dependencies);
  let executed: ExecutedFetch | undefined;
  const price = () => pricePages(checked, caller, dependencies);
  const record = await spend(caller, price, dependencies, async () => {
    executed = await executeFetch(checked, caller, dependencies);
    return executed.record;
  });
  const lost = executed?.lost;
  if (lost !== undefined) throw providerUnavailable(lost, record.id, record.sessionId);
  return recordedParts(record, executed && [executed.runText]);
}

/** What `runFetch` would call first and pay for it. @throws RequestError as it would, before anything is sent */
export async function priceFetch(
  request: FetchRequest,
  caller: Caller,
  dependencies: FetchDependencies,
): Promise<DryRun> {
  const checked = await checkedFetch(request, caller, dependencies);
  const calls = await pricePages(checked, caller, dependencies);
  await checkBudgets(caller, calls, dependencies.budgets);
  return dryRun(calls);
}

interface PlannedFetch extends CheckedFetch {
  readonly command: FetchCommand;
}

async function checkedFetch(
  request: FetchRequest,
  caller: Caller,
  { deployment, maxFetchUrls, reader }: FetchDependencies,
): Promise<PlannedFetch> {
  const command = fetchCommand(request);
  const checked = checkFetch(command, deployment, maxFetchUrls);
  await checkSession(command.sessionId, caller, reader);
  return { ...checked, command };
}

const pricePages = (
  { targets, chain, command }: PlannedFetch,
  { projectId }: Caller,
  dependencies: FetchDependencies,
) => plannedCalls(targets, chain, command.options, projectId, dependencies);

interface ExecutedFetch {
  readonly record: InteractionRecord;
  /** The run of the record, in parts that share the texts of its rows. */
  readonly runText: RunText;
  /** Why no page was reached, where that is what the caller is told. */
  readonly lost: string | undefined;
}

async function executeFetch(
  { targets, chain, command }: PlannedFetch,
  caller: Caller,
  dependencies: FetchDependencies,
): Promise<ExecutedFetch> {
  const { clock, deployment } = dependencies;
  const startedAt = clock.now();
  const pages: FetchedPage[] = [];
  const rows: FetchRow[] = [];
  const rowTexts: string[] = [];
  const room = createAnswerRoom();
  await fetchPages(targets, chain, command.options, caller, dependencies, (index, landed) => {
    const whole = fetchRow(landed, command.options, deployment);
    const fits = room.take(whole);
    const page = fits ? landed : { ...landed, result: crowdedOut(landed.result) };
    const row = fits ? whole : fetchRow(page, command.options, deployment);
    pages[index] = page;
    rows[index] = row;
    const text = jsonText(row);
    rowTexts[index] = text;
    caller.emit?.('page', text);
  });
  const isLost = isUnavailable(command.options, pages);
  const run = fetchRun(command, chain, rows, isLost, {
    id: clock.newId(),
    latencyMs: Math.max(0, Math.round(clock.now() - startedAt)),
  });
  const head = interactionHead(
    {
      sessionId: command.sessionId,
      userId: null,
      userInput: { urls: command.urls },
      metadata: command.metadata,
      status: run.status,
      normalizedSchemaVersion: null,
      routing: null,
    },
    caller,
    dependencies,
  );
  const runText = fetchRunText(run, rowTexts);
  const record = fetchRecord(head, { id: run.id, text: runText.join('') }, pages, clock.newId);
  return { record, runText, lost: run.error?.message };
}

function fetchRun(
  command: FetchCommand,
  chain: readonly ConfiguredFetchProvider[],
  rows: FetchRow[],
  isLost: boolean,
  { id, latencyMs }: { readonly id: string; readonly latencyMs: number },
): FetchRun {
  const succeeded = rows.filter(({ status }) => status === 'succeeded').length;
  const slugs = chain.map(({ declaration }) => declaration.slug);
  return {
    id,
    preprocessor_name: RUN_NAME,
    status: isLost ? 'failed' : 'succeeded',
    batch_index: 0,
    query: '',
    request_payload: fetchRequestPayload(command, slugs),
    output_payload: isLost
      ? null
      : {
          fetched_results: rows,
          succeeded_count: succeeded,
          failed_count: rows.length - succeeded,
          warnings: [],
        },
    raw_payload: null,
    error: isLost ? unavailableError(slugs, rows) : null,
    latency_ms: latencyMs,
  };
}
