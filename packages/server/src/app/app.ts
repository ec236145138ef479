import { type Clock, type ReportFault, systemClock } from '@trawl/base';
import { openApiDocument } from '@trawl/contract';
import { SEARCH_PROVIDERS, type SearchProvider } from '@trawl/providers';
import { directBrowserProblem, judgeLiteral, OWN_READER, openDirectReader } from '@trawl/reader';
import {
  createDeployment,
  createFetch,
  createFlights,
  createIdempotency,
  createMemoryBudgets,
  createMemoryPageCache,
  createSearch,
  createUpstreamRunner,
  type Deployment,
  type InteractionStore,
  type UsageReader,
} from '@trawl/router';
import { createInteractionStore, openFault, openStore, type Store } from '@trawl/store';
import { createTopics } from '@trawl/topics';
import type { Logger } from 'pino';
import { ensureBootstrapKey } from '../admin/key-admin.ts';
import { createAuthenticator } from '../auth/authenticate.ts';
import { createHostCheck } from '../config/allowed-hosts.ts';
import type { Config } from '../config/config.ts';
import { deploymentProblems, deploymentWarnings } from '../config/deployment-warnings.ts';
import { createAdmission } from '../http/admission.ts';
import { createHttpApp } from '../http/bind.ts';
import { addDocsSite } from '../http/docs-site.ts';
import { addMount, type Mount } from '../http/mount.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { createMemoryRateLimiter } from '../http/rate-limiter.ts';
import { startHttpServer } from '../http/serve.ts';
import { jsonFile, keepSuccess } from '../http/static-file.ts';
import { createHandlers } from '../routes/handlers.ts';
import { endpointEmbed } from '../routing/embeddings-endpoint.ts';
import { createOutageLog } from '../telemetry/outage-log.ts';

/** What a start needs beside the settings. */
export interface StartOptions {
  readonly version: string;
  /** Where the recorder's worker script stands. */
  readonly workerUrl: URL;
  /** Where the page extraction's worker script stands. */
  readonly extractWorkerUrl: URL;
  readonly clock?: Clock;
  readonly declarations?: readonly SearchProvider[];
  /** Other ways to the API, such as another protocol. */
  readonly mounts?: readonly Mount[];
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** Takes no new request, waits for those under way, then closes the store. */
  readonly stop: () => Promise<void>;
}

/** Connections that were closed because of a limit. */
const CLOSED = {
  connections: {
    cause: 'MAX_CONNECTIONS',
    message: 'a new connection was closed: MAX_CONNECTIONS are open',
  },
  slow: { cause: 'slow client', message: 'a client that read too slowly was disconnected' },
  body: { cause: 'slow body', message: 'a client that sent its request too slowly was cut off' },
  unsent: {
    cause: 'MAX_UNSENT_BYTES',
    message: 'a slow client was disconnected: more than MAX_UNSENT_BYTES wait to be read',
  },
} as const;

const STOP_GRACE_MS = 30_000;

/** Opens the store, binds the routes and listens. What was opened is closed again when the start fails. */
export async function startServer(
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> {
  const clock = options.clock ?? systemClock;
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
    return await listen(config, log, deployment, store, clock, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function listen(
  config: Config,
  log: Logger,
  deployment: Deployment,
  store: Store,
  clock: Clock,
  { version, extractWorkerUrl, mounts = [] }: StartOptions,
): Promise<RunningServer> {
  const instanceId = await prepareStore(config, store, clock);
  const runner = createUpstreamRunner({
    clock,
    breaker: config.breaker,
    proxy: { httpsProxy: config.httpsProxy, noProxy: config.noProxy },
    log,
    answerMemory: store.recorder,
  });
  const reportFault: ReportFault = (cause, what) => log.error({ err: cause }, what);
  const authenticator = createAuthenticator({ keys: store.keys, clock, log });
  const outages = createOutageLog({ log, now: clock.now });
  const interactions = createInteractionStore({ store, now: clock.now, log, outages });
  // starts the recorder, so that the first request doesn't wait for it, and finds a store that cannot be written
  await interactions.start();
  let isStopping = false;
  const stopping = new AbortController();
  const direct = openDirectReader(config, {
    version,
    clock,
    workerUrl: extractWorkerUrl,
    reportFault,
  });
  const browserProblem = await directBrowserProblem(config);
  if (browserProblem) log.warn(browserProblem);
  // what a search and a fetch have in common
  const shared = {
    deployment,
    runner,
    reader: store.reader,
    interactions,
    budgets: createMemoryBudgets({
      ledger: withUnbooked(store.usage, interactions),
      now: clock.now,
    }),
    clock,
    instanceId,
    requestDeadlineMs: config.requestDeadlineMs,
    reportFault,
  };
  const search = createSearch({
    ...shared,
    topics: createTopics(endpointEmbed(config, runner), {
      ownWords: config.topicWords,
      now: clock.now,
      stopSignal: stopping.signal,
    }).topics,
    ranking: config.ranking.topics,
  });
  const fetch = createFetch({
    ...shared,
    readers: new Map([[OWN_READER, direct.reader]]),
    pageCheck: direct.pageCheck,
    pageReadTimeoutMs: config.pageReadTimeoutMs,
    flights: createFlights(),
    cache:
      config.pageCacheTtlSeconds === 0
        ? null
        : createMemoryPageCache({
            ttlMs: config.pageCacheTtlSeconds * 1000,
            now: clock.now,
          }),
    isForbidden: (url) => judgeLiteral(url, config.fetchAllowPrivateHosts) !== null,
    maxFetchUrls: config.maxFetchUrls,
    chainAttemptTimeoutMs: config.chainAttemptTimeoutMs,
  });
  const handlers = createHandlers({
    search,
    fetch,
    deployment,
    reader: store.reader,
    sessionSummaries: store.sessionSummaries,
    recorder: store.recorder,
    usage: store.usage,
    idempotency: createIdempotency(store.reader, clock),
    interactions,
    clock,
    instanceId,
    isStopping: () => isStopping,
    openApi: keepSuccess(() => jsonFile(openApiDocument(version))),
  });
  const { authenticate } = authenticator;
  const admission = createAdmission({ limit: config.maxActiveRequests, now: clock.now });
  const app = createHttpApp({
    handlers,
    authenticate,
    admission,
    outages,
    rateLimit: createRateLimit(createMemoryRateLimiter(clock.now)),
    log,
    clock,
  });
  addDocsSite(app);
  const checkHost = createHostCheck(config);
  const mounted = mounts.map((mount) =>
    addMount(app, mount, { authenticate, admission, checkHost }),
  );
  const http = await startHttpServer(app, {
    host: config.host,
    port: config.port,
    maxConnections: config.maxConnections,
    readers: { unsentMaxBytes: config.maxUnsentBytes },
    onClose: (cause) => outages.report(CLOSED[cause]),
  }).catch(async (error: unknown) => {
    await Promise.all([runner.close(), direct.close(), interactions.stop()]);
    throw error;
  });
  authenticator.start();
  log.info(
    { url: http.url, version, database: config.databaseUrl ? 'postgres' : 'embedded' },
    'listening',
  );
  return {
    url: http.url,
    port: http.port,
    store,
    stop: async () => {
      isStopping = true;
      await http.stop(STOP_GRACE_MS);
      authenticator.stop();
      stopping.abort();
      const ends = [runner, direct, ...mounted].map(async (part) => part.close());
      for (const end of await Promise.allSettled(ends)) {
        if (end.status === 'rejected')
          reportFault(end.reason, 'a part of the server did not close');
      }
      await interactions.stop();
      await store.close();
      outages.flush();
    },
  };
}

/** Makes what a server needs in the store, and returns the id of the instance. */
async function prepareStore(config: Config, store: Store, clock: Clock): Promise<string> {
  try {
    if (config.bootstrapApiKey) await ensureBootstrapKey(store.keys, clock, config.bootstrapApiKey);
    return config.instanceId ?? (await store.setting('instance_id', clock.newId()));
  } catch (error) {
    throw openFault(config, error);
  }
}

/** A budget counts what was spent and is not in the ledger yet. Read first, so that a booking meanwhile counts twice, not never. */
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

/** Says at the start what an operator would otherwise find out from failed runs. */
function logDeployment(config: Config, deployment: Deployment, log: Logger): void {
  log.info({ version: config.prices.version }, 'price list');
  log.info({ version: config.ranking.version }, 'topic ranking');
  if (config.pageRules.length > 0) log.info({ rows: config.pageRules.length }, 'page rules');
  if (config.topicWords.length > 0) log.info({ rows: config.topicWords.length }, 'topic words');
  const lines = [...deploymentProblems(deployment), ...deploymentWarnings(config, deployment)];
  for (const line of lines) log.warn(line);
}
