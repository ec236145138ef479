import { type Clock, type OutageLog, type ReportFault, systemClock } from '@trawl/base';
import { SEARCH_PROVIDERS, type SearchProvider } from '@trawl/providers';
import {
  createDeployment,
  createFetch,
  createIdempotency,
  createMemoryBudgets,
  createProbes,
  createSearch,
  type Deployment,
  type InteractionStore,
  type UsageReader,
} from '@trawl/router';
import { createInteractionStore, openFault, openStore, type Store } from '@trawl/store';
import type { Logger } from 'pino';
import { ensureBootstrapKey } from '../admin/key-admin.ts';
import type { Config } from '../config/config.ts';
import { deploymentProblems, deploymentWarnings } from '../config/deployment-warnings.ts';
import type { Handlers } from '../http/handler.ts';
import type { Mount } from '../http/mount.ts';
import { feedbackRoutes } from '../routes/feedback.ts';
import { fetchRoutes } from '../routes/fetch.ts';
import { interactionRoutes } from '../routes/interactions.ts';
import { probeFault, probeRoutes } from '../routes/probe.ts';
import { rosterRoutes } from '../routes/rosters.ts';
import { searchRoutes } from '../routes/search.ts';
import { serverRoutes } from '../routes/server.ts';
import { sessionRoutes } from '../routes/sessions.ts';
import { usageRoutes } from '../routes/usage.ts';
import { createOutageLog } from '../telemetry/outage-log.ts';
import { listen } from './listen.ts';
import type { ServerBranch } from './server-parts.ts';
import { openSources, pageSettings } from './sources.ts';

/** The parts that a start needs in addition to the settings. */
export interface StartOptions {
  readonly version: string;
  /** The path of the recorder's worker script. */
  readonly workerUrl: URL;
  /** The path of the page extraction's worker script. */
  readonly extractWorkerUrl: URL;
  readonly clock?: Clock;
  readonly declarations?: readonly SearchProvider[];
  /** Other ways to the API, such as another protocol. */
  readonly mounts?: readonly Mount[];
  /** Tables of routes with their own way to admit callers, such as the console's. */
  readonly branches?: readonly ServerBranch[];
  /** Where the build put the console, if that is not next to the program. */
  readonly consoleFolder?: URL | undefined;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** Takes no new request, waits for those in progress, then closes the store. */
  readonly stop: () => Promise<void>;
}

/** Opens the store, then everything that uses it. Closes what was opened if the start fails. */
export async function startServer(
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> {
  const deployment = createDeployment(config, options.declarations ?? SEARCH_PROVIDERS);
  logDeployment(config, deployment, log);
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    isServer: true,
    workerUrl: options.workerUrl,
    onWorkerError: (error) => log.error({ err: error }, 'the recorder ended; it is started again'),
  });
  try {
    return await startOn(store, deployment, { ...options, config, log });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface StartContext extends StartOptions {
  readonly config: Config;
  readonly log: Logger;
}

/** Records, searches, fetches and answers on an open store. */
async function startOn(
  store: Store,
  deployment: Deployment,
  { clock = systemClock, ...context }: StartContext,
): Promise<RunningServer> {
  const { config, log, version } = context;
  const reportFault: ReportFault = (cause, what) => log.error({ err: cause }, what);
  const outages = createOutageLog({ log, now: clock.now });
  const recording = await startRecording(store, { config, log, clock, outages });
  const { interactions, instanceId } = recording;
  const sources = await openSources({ ...context, clock, reportFault, answers: store.recorder });
  const { runner, judge, direct } = sources;
  const shared = {
    ...recording,
    deployment,
    runner,
    reader: store.reader,
    clock,
    requestDeadlineMs: config.requestDeadlineMs,
    reportFault,
  };
  const search = createSearch({ ...shared, topics: judge.topics, ranking: config.ranking.topics });
  const pages = pageSettings(config, direct, clock);
  const fetch = createFetch({ ...shared, ...pages });
  const probes = createProbes({ ...shared, ...pages }, probeFault);
  const idempotency = createIdempotency(store.reader, clock);
  let isStopping = false;
  const handlers: Handlers = {
    ...searchRoutes(search, idempotency),
    ...fetchRoutes(fetch, idempotency),
    ...interactionRoutes(store.reader),
    ...feedbackRoutes(store, clock),
    ...sessionRoutes(store, instanceId),
    ...usageRoutes(store.usage, clock),
    ...rosterRoutes(deployment),
    ...probeRoutes(probes),
    ...serverRoutes({ version, isStopping: () => isStopping, interactions }),
  };
  const http = await listen(handlers, {
    ...context,
    keys: store.keys,
    clock,
    outages,
    reportFault,
    parts: { config, version, store, clock, deployment, runner, judge, reportFault },
  }).catch(async (error: unknown) => {
    await Promise.all([sources.close(), interactions.stop()]);
    throw error;
  });
  return {
    ...http,
    store,
    stop: async () => {
      isStopping = true;
      await http.stop();
      await sources.close();
      await interactions.stop();
      await store.close();
      outages.flush();
    },
  };
}

interface RecordingContext {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly outages: OutageLog;
}

/** Prepares the store to record payments. */
async function startRecording(store: Store, { config, log, clock, outages }: RecordingContext) {
  const instanceId = await prepareStore(config, store, clock);
  const interactions = createInteractionStore({ store, now: clock.now, log, outages });
  // starts the recorder, so the first request does not wait for it, and detects a store that cannot be written
  await interactions.start();
  const ledger = withUnbooked(store.usage, interactions);
  const budgets = createMemoryBudgets({ ledger, now: clock.now });
  return { instanceId, interactions, budgets };
}

/** Creates the rows that a server needs in the store, and returns the id of the instance. */
async function prepareStore(config: Config, store: Store, clock: Clock): Promise<string> {
  try {
    if (config.bootstrapApiKey) await ensureBootstrapKey(store.keys, clock, config.bootstrapApiKey);
    return config.instanceId ?? (await store.setting('instance_id', clock.newId()));
  } catch (error) {
    throw openFault(config, error);
  }
}

/** A budget also counts costs that are not in the ledger yet. They are read first, so a booking in between counts twice, not never. */
function withUnbooked(
  usage: Pick<UsageReader, 'spentMicros'>,
  { unbookedMicros }: InteractionStore,
): Pick<UsageReader, 'spentMicros'> {
  return {
    spentMicros: async (owner, from, to) => {
      const unbooked = await unbookedMicros(owner, from, to);
      return unbooked + (await usage.spentMicros(owner, from, to));
    },
  };
}

/** Logs at the start what an operator would otherwise notice from failed runs. */
function logDeployment(config: Config, deployment: Deployment, log: Logger): void {
  log.info({ version: config.prices.version }, 'price list');
  log.info({ version: config.ranking.version }, 'topic ranking');
  if (config.pageRules.length > 0) log.info({ rows: config.pageRules.length }, 'page rules');
  if (config.topicWords.length > 0) log.info({ rows: config.topicWords.length }, 'topic words');
  const lines = [...deploymentProblems(deployment), ...deploymentWarnings(config, deployment)];
  for (const line of lines) log.warn(line);
}
