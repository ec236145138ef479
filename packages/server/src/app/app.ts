import {
  type Clock,
  createOutageLog,
  inTurn,
  type OutageLog,
  type ReportFault,
  systemClock,
} from '@trawl/base';
import { SEARCH_PROVIDERS, type SearchProvider } from '@trawl/providers';
import {
  createDeployment,
  createExecutions,
  createFetch,
  createLongReads,
  createProbes,
  createSearch,
  type Deployment,
} from '@trawl/router';
import { openStore, type Store } from '@trawl/store';
import { createMetrics, followRequests, type Metrics, openTracing } from '@trawl/telemetry';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { deploymentProblems, deploymentWarnings } from '../config/deployment-warnings.ts';
import type { ProviderKeys } from '../config/provider-settings.ts';
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
import { lanesOf } from '../telemetry/provider-load.ts';
import { listen, type MetricsText, STOP_GRACE_MS } from './listen.ts';
import { type LeaseTimes, startRecording } from './recording.ts';
import type { ServerBranch } from './server-parts.ts';
import { openSharedState, type SharedState } from './shared-state.ts';
import { openSources, pageSettings } from './sources.ts';
import { useLearnedRouting } from './use-learned-routing.ts';
import { useNewKeys } from './use-new-keys.ts';

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
  /** Where the build put the console, if that is not next to the program. */
  readonly consoleFolder?: URL | undefined;
  /** What `/metrics` answers; the metrics of this process when absent. */
  readonly metricsText?: MetricsText | undefined;
  /** Lines of the log that could not be written so far, for the metrics. */
  readonly logLinesLost?: (() => number) | undefined;
  /** The providers' keys as the settings give them now. Absent = they stay as they are. */
  readonly readProviderKeys?: (() => ProviderKeys) | undefined;
  /** Whether the log says what is set up. False where another process of this server has said it. Default true. */
  readonly isDeploymentLogged?: boolean;
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
  const deployment = createDeployment(config, options.declarations ?? SEARCH_PROVIDERS);
  if (options.isDeploymentLogged !== false) logDeployment(config, deployment, log);
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    isServer: true,
    workerUrl: options.workerUrl,
    onWorkerError: (error) => log.error({ err: error }, 'the recorder ended; it is started again'),
  });
  let shared: SharedState | undefined;
  try {
    shared = await openSharedState({ ...options, config, deployment, store, log });
    return await startOn(reporting(store, shared), deployment, { ...options, config, log, shared });
  } catch (error) {
    shared?.close();
    await store.close();
    throw error;
  }
}

/** The same store, which reports changes of keys to the other replicas. */
const reporting = (store: Store, { keyChanges }: SharedState): Store =>
  keyChanges ? { ...store, keys: keyChanges.reporting(store.keys) } : store;

interface StartContext extends StartOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly shared: SharedState;
}

/** Records, searches, fetches and answers on an open store. */
async function startOn(
  store: Store,
  deployment: Deployment,
  { clock = systemClock, logLinesLost = () => 0, ...context }: StartContext,
): Promise<RunningServer> {
  const { config, log, version } = context;
  const reportFault: ReportFault = (cause, what) => log.error({ err: cause }, what);
  const outages = createOutageLog({ log, now: clock.now });
  const metrics = config.metrics === 'on' ? createMetrics({ version }) : undefined;
  const tracing = await startTracing(context, outages);
  const common = { ...context, clock, outages, reportFault, metrics };
  const recording = await startRecording(store, common);
  const sources = await openSources({ ...common, answers: store.recorder });
  const { runner, judge, direct } = sources;
  metrics?.connect({ spentMicros: store.usage.spentMicros, logLinesLost });
  metrics?.connect({ lanes: () => lanesOf(deployment, runner), reading: direct.load });
  const shared = {
    ...recording,
    ...{ deployment, runner, clock, reportFault, reader: store.reader },
    requestDeadlineMs: config.requestDeadlineMs,
  };
  const learned = useLearnedRouting(config, log);
  const { ranking, shadow } = learned;
  const routed = { ...shared, ranking: ranking.topics, shadow, topics: judge.topics };
  const pages = pageSettings(config, direct, context.shared);
  const executing = { ...recording.idempotency, ...createExecutions() };
  const reads = createLongReads(clock);
  let isStopping = false;
  const handlers: Handlers = {
    ...searchRoutes(createSearch(routed), executing, deployment),
    ...fetchRoutes(createFetch({ ...shared, ...pages }), executing, deployment),
    ...interactionRoutes(store.reader, reads),
    ...feedbackRoutes(store, clock),
    ...sessionRoutes(store, recording.instanceId, reads),
    ...usageRoutes(store.usage, clock),
    ...rosterRoutes(deployment),
    ...probeRoutes(createProbes({ ...shared, ...pages }, probeFault), executing),
    ...serverRoutes({ ...recording, version, isStopping: () => isStopping }),
  };
  const http = await listen(handlers, {
    ...common,
    follow: followRequests(metrics?.work, tracing),
    keys: store.keys,
    parts: {
      ...{ version, store, clock, deployment, runner, judge, reportFault },
      config: { ...config, ranking },
    },
  }).catch(async (error: unknown) => {
    await inTurn([learned.stop, sources.close, recording.stop]);
    throw error;
  });
  const keyWatch = useNewKeys(context, deployment, runner);
  return {
    ...http,
    store,
    metrics,
    checkProviderKeys: () => keyWatch?.check(),
    stop: async () => {
      isStopping = true;
      recording.idempotency.endWaits();
      keyWatch?.stop();
      learned.stop();
      await inTurn([
        () => executing.stop(http.stop(), STOP_GRACE_MS),
        () => Promise.all([sources.close(), tracing?.close()]),
        recording.stop,
        context.shared.close,
        store.close,
        outages.flush,
      ]);
    },
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
  if (config.pageRules.length > 0) log.info({ rows: config.pageRules.length }, 'page rules');
  if (config.topicWords.length > 0) log.info({ rows: config.topicWords.length }, 'topic words');
  const lines = [...deploymentProblems(deployment), ...deploymentWarnings(config, deployment)];
  for (const line of lines) log.warn(line);
}
