import {
  type Clock,
  type Closers,
  createClosers,
  createOutageLog,
  type OutageLog,
  type ReportFault,
  systemClock,
} from '@trawl/base';
import type { SearchProvider } from '@trawl/providers';
import {
  createContexts,
  createDeployment,
  createExecutions,
  createFetch,
  createLongReads,
  createProbes,
  createSearch,
  createSeenPages,
  createSharedRuns,
  type Deployment,
  type Executions,
  putLast,
} from '@trawl/router';
import { openStore, type Store } from '@trawl/store';
import { createMetrics, type Metrics, observeRequests, openTracing } from '@trawl/telemetry';
import type { Logger } from 'pino';
import { openAlerts } from '../alerts/open-alerts.ts';
import type { Config } from '../config/config.ts';
import {
  deploymentNotes,
  deploymentProblems,
  deploymentWarnings,
} from '../config/deployment-warnings.ts';
import type { ProviderKeys } from '../config/provider-settings.ts';
import {
  type HealthWatch,
  type HealthWatchOptions,
  illOf,
  shownHealth,
  watchHealth,
} from '../health/watch-health.ts';
import type { Handlers } from '../http/handler.ts';
import { type LoginOptions, openLogin } from '../login/open-login.ts';
import { openStoredKeys, type StoredKeys } from '../provider-keys/stored-keys.ts';
import { adminRoutes } from '../routes/admin/routes.ts';
import { contextRoutes } from '../routes/context.ts';
import { feedbackRoutes } from '../routes/feedback.ts';
import { fetchRoutes } from '../routes/fetch.ts';
import { interactionRoutes } from '../routes/interactions.ts';
import { probeFault, probeRoutes } from '../routes/probe.ts';
import { healthRoutes } from '../routes/provider-health.ts';
import { replayRoutes } from '../routes/replay.ts';
import { rosterRoutes } from '../routes/rosters.ts';
import { searchRoutes } from '../routes/search.ts';
import { serverRoutes } from '../routes/server.ts';
import { sessionRoutes } from '../routes/sessions.ts';
import { usageRoutes } from '../routes/usage.ts';
import { verifyRoutes } from '../routes/verify.ts';
import { watchRoutes } from '../routes/watches.ts';
import type { Mount } from '../sites/mount.ts';
import { lanesOf } from '../telemetry/provider-load.ts';
import { createWatchRunner, type WatchRunner, type WatchTimes } from '../watches/runner.ts';
import { listen, type MetricsText, type ServerBranch } from './listen.ts';
import { type LeaseTimes, startRecording } from './recording.ts';
import { openSharedState, type SharedState } from './shared-state.ts';
import { openSources, pageSettings } from './sources.ts';
import { type KeysInUse, useNewKeys } from './use-new-keys.ts';
import { countsOf, watchWebRules } from './watch-web-rules.ts';

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
  /** Durations of leases on a shared database, for tests. */
  readonly leases?: LeaseTimes | undefined;
  /** Durations of watches, for tests. */
  readonly watchTimes?: WatchTimes | undefined;
  /** Milliseconds between looks at the health of providers, for tests. */
  readonly healthPauseMs?: number | undefined;
  /** Reads documents of clients that log in, for tests; the guarded reader when absent. */
  readonly readDocument?: LoginOptions['readDocument'];
  /** Where the build put the console, if that is not next to the program. */
  readonly consoleFolder?: URL | undefined;
  /** What `/metrics` answers; the metrics of this process when absent. */
  readonly metricsText?: MetricsText | undefined;
  /** Lines of the log that could not be written so far, for the metrics. */
  readonly logLinesLost?: (() => number) | undefined;
  /** The providers' keys as the settings give them now. Absent = they stay as they are. */
  readonly readProviderKeys?: (() => ProviderKeys) | undefined;
  /**
   * Whether the log says what is set up. False where another process of this server has said it.
   * Default true.
   */
  readonly isDeploymentLogged?: boolean;
  /** Gets what is opened, for tests. */
  readonly closers?: Closers;
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** undefined = nothing is measured. */
  readonly metrics: Metrics | undefined;
  /** Reads the providers' keys again now, instead of when a file changes. */
  readonly checkProviderKeys: () => void;
  /** Takes no new request, waits for those in progress, then closes the store. */
  readonly stop: () => Promise<void>;
}

/** Opens the store, then everything that uses it. Closes what was opened if the start fails. */
export async function startServer(
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> {
  const { closers = createClosers() } = options;
  try {
    return await start({ ...options, config, log, closers });
  } catch (error) {
    await closers.close().catch((fault: unknown) => {
      log.error({ err: fault }, 'a part of the server did not close');
    });
    throw error;
  }
}

interface StartContext extends StartOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly closers: Closers;
}

async function start(context: StartContext): Promise<RunningServer> {
  const { config, log, version, closers } = context;
  const parts = await openParts(context);
  const { store, deployment, clock, outages, reportFault, metrics, recording } = parts;
  const { runner } = parts.sources;
  const providerKeys = await openProviderKeys(context, parts);
  closers.push(watchWebRules({ file: config.webRulesFile, deployment, log }).stop);
  if (context.isDeploymentLogged !== false) logDeployment(config, deployment, log);
  const executions = createExecutions();
  let isStopping = false;
  const watchRunner = createWatchRunner({
    watches: store.watches,
    keys: store.keys,
    clock,
    log,
    requestDeadlineMs: config.requestDeadlineMs,
    times: context.watchTimes,
    onRun: metrics?.watchRan,
    onNews: parts.alerts?.foundNews,
  });
  const handlers = handlersOf(parts, {
    config,
    version,
    executions,
    runNow: watchRunner.runNow,
    isStopping: () => isStopping,
  });
  // after the requests in progress, and before the store
  closers.push(watchRunner.ended);
  const { url, port, api } = await listen(handlers, {
    config,
    log,
    clock,
    version,
    keys: store.keys,
    outages,
    shared: parts.shared,
    reportFault,
    mounts: context.mounts,
    branches: context.branches,
    consoleFolder: context.consoleFolder,
    parts: {
      config,
      version,
      store,
      clock,
      deployment,
      runner,
      healthOf: (provider) => shownHealth(parts.health.of(provider)),
      providerKeys,
      login: parts.login,
      reportFault,
    },
    metrics,
    observe: observeRequests(metrics?.work, parts.tracing),
    metricsText: context.metricsText,
    executions,
    closers,
  });
  watchRunner.start(api);
  closers.push(() => {
    watchRunner.pause();
    isStopping = true;
    recording.idempotency.endWaits();
  });
  return { url, port, store, metrics, checkProviderKeys: providerKeys.check, stop: closers.close };
}

/** Uses the keys of providers that the database has, and those that come later. */
async function openProviderKeys(
  context: StartContext,
  { store, deployment, clock, sources }: Parts,
): Promise<KeysInUse & { readonly stored: StoredKeys }> {
  const { config, log, closers } = context;
  const stored = await openStoredKeys({ config, store, clock, log });
  closers.push(stored.stop);
  const inUse = useNewKeys(context, stored, deployment, sources.runner);
  closers.push(inUse.stop);
  return { ...inUse, stored };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** What requests use, from the database on. */
async function openParts(context: StartContext) {
  const { config, log, version, closers, clock = systemClock, leases } = context;
  const reportFault: ReportFault = (cause, what) => log.error({ err: cause }, what);
  const deployment = createDeployment({ ...config, version }, context.declarations);
  const outages = createOutageLog({ log, now: clock.now });
  closers.push(outages.flush);
  const opened = await openStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    isServer: true,
    workerUrl: context.workerUrl,
    onWorkerError: (error) => log.error({ err: error }, 'the recorder ended; it is started again'),
  });
  closers.push(opened.close);
  const shared = await openSharedState({ config, log, clock, deployment, store: opened, closers });
  const store = reporting(opened, shared);
  const metrics = config.metrics === 'on' ? createMetrics({ version }) : undefined;
  const alerts = openAlerts({ config, log, clock, store, closers });
  const recorded = { config, log, clock, outages, metrics, leases, alerts, closers };
  const recording = await startRecording(store, recorded);
  const tracing = await startTracing(context, outages);
  closers.push(() => tracing?.close());
  const sources = await openSources({
    config,
    log,
    clock,
    version,
    extractWorkerUrl: context.extractWorkerUrl,
    reportFault,
    metrics,
    alerts,
    answers: store.recorder,
    shared,
    closers,
  });
  const { readDocument } = context;
  const login = await openLogin({ config, log, version, store, clock, ...shared, readDocument });
  const { runner, direct } = sources;
  const health = startHealthWatch({ ...context, clock }, store, deployment);
  alerts?.start(() => lanesOf(deployment, runner), health.all);
  metrics?.connect({
    spentMicros: store.usage.spentMicros,
    logLinesLost: context.logLinesLost ?? (() => 0),
    lanes: () => lanesOf(deployment, runner),
    health: health.all,
    reading: direct.load,
  });
  return {
    store,
    shared,
    deployment,
    clock,
    outages,
    reportFault,
    metrics,
    alerts,
    health,
    recording,
    tracing,
    sources,
    login,
  };
}

function startHealthWatch(
  { config, log, closers, healthPauseMs: pauseMs, clock }: StartContext & { readonly clock: Clock },
  store: Store,
  deployment: Deployment,
): HealthWatch {
  const isLast = config.healthAction === 'last';
  const onLook: HealthWatchOptions['onLook'] = (all) => putLast(deployment, illOf(all));
  const watch = watchHealth({
    store: store.health,
    clock,
    log,
    pauseMs,
    onLook: isLast ? onLook : undefined,
  });
  closers.push(watch.stop);
  watch.start();
  return watch;
}

/** The same store, which reports changes of keys to the other replicas. */
function reporting(store: Store, { keyChanges }: SharedState): Store {
  if (!keyChanges) return store;
  return {
    ...store,
    changing: async (work) => {
      const done = await store.changing(work);
      keyChanges.report();
      return done;
    },
  };
}

interface HandlerOptions {
  readonly config: Config;
  readonly version: string;
  readonly executions: Executions;
  readonly runNow: WatchRunner['runNow'];
  readonly isStopping: () => boolean;
}

function handlersOf(
  { store, shared, deployment, clock, health, reportFault, recording, sources }: Parts,
  { config, version, executions, runNow, isStopping }: HandlerOptions,
): Handlers {
  const { instanceId, interactions, budgets, idempotency } = recording;
  const { runner, decider, direct } = sources;
  const asking = {
    deployment,
    runner,
    reader: store.reader,
    interactions,
    budgets,
    clock,
    instanceId,
    reportFault,
  };
  const routing = { topics: decider.topics, ranking: config.ranking.topics };
  const pages = pageSettings(config, direct, shared);
  const answering = { parts: { ...idempotency, ...executions }, deployment, reader: store.reader };
  const reads = createLongReads(clock);
  const { searchCacheTtlSeconds } = config;
  const { flights } = shared;
  const recorded = { answers: store.answers, sharedRuns: createSharedRuns(), flights };
  const fingerprintKey = { secret: recording.fingerprintSecret, version };
  const cache = { ...recorded, fingerprintKey, searchCacheTtlSeconds };
  const { pieceFinder } = direct;
  const { maxFetchUrls, pageReadTimeoutMs } = pages;
  const making = { reader: store.reader, pieceFinder, pageReadTimeoutMs, clock };
  const { seenIn, remember } = createSeenPages(making);
  const search = createSearch({ ...asking, ...routing, ...cache, seenIn });
  const fetch = createFetch({ ...asking, ...pages });
  const contexts = createContexts({ ...making, search, fetch, maxFetchUrls, remember });
  const executing = {
    ...searchRoutes(search, answering),
    ...fetchRoutes(fetch, answering),
    ...contextRoutes(contexts, { ...answering, search, fetch }),
  };
  return {
    ...executing,
    ...replayRoutes(search, answering),
    ...watchRoutes({ ...store, clock, deployment, asking: executing, runNow, ...executions }),
    ...interactionRoutes(store.reader, reads),
    ...verifyRoutes({ reader: store.reader, reads, finder: direct.quoteFinder, clock }),
    ...feedbackRoutes(store, clock),
    ...sessionRoutes(store, instanceId, reads),
    ...usageRoutes(store.usage, clock),
    ...rosterRoutes(deployment, store.providers, { clock, health }),
    ...healthRoutes({ deployment, watch: health, store }),
    ...probeRoutes(createProbes({ ...asking, ...pages }, probeFault), answering),
    ...adminRoutes({ store, deployment, clock }),
    ...serverRoutes({ version, isStopping, interactions }),
  };
}

/** undefined = nothing is traced. */
const startTracing = ({ config, version }: StartContext, outages: OutageLog) =>
  openTracing({
    version,
    endpoint: config.otelEndpoint,
    onFault: (error) =>
      outages.report({ cause: 'traces', message: 'traces could not be sent', error }),
  });

/** Logs at the start what an operator would otherwise notice from failed runs. */
function logDeployment(config: Config, deployment: Deployment, log: Logger): void {
  log.info({ version: config.prices.version }, 'price list');
  log.info({ version: config.ranking.version }, 'topic ranking');
  const declared = config.declaredProviders.map(({ slug }) => slug);
  if (declared.length > 0) log.info({ providers: declared }, 'declared providers');
  const { webRulesFile: file } = config;
  if (file) log.info({ path: file.path, ...countsOf(file) }, 'web rules');
  if (config.pageRules.length > 0) log.info({ rows: config.pageRules.length }, 'page rules');
  if (config.topicWords.length > 0) log.info({ rows: config.topicWords.length }, 'topic words');
  for (const line of deploymentNotes(deployment)) log.info(line);
  const lines = [...deploymentProblems(deployment), ...deploymentWarnings(config, deployment)];
  for (const line of lines) log.warn(line);
}
