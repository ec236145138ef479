import { openApiDocument } from '@trawl/contract';
import { SEARCH_PROVIDERS, type SearchProvider } from '@trawl/providers';
import type { Logger } from 'pino';
import { createAuthenticator } from './auth/authenticate.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { createDeployment, type Deployment } from './deployment.ts';
import { createHttpApp } from './http/bind.ts';
import { addDocsPage } from './http/docs-page.ts';
import { startHttpServer } from './http/serve.ts';
import { ensureBootstrapKey } from './key-admin.ts';
import type { ReportFault } from './report-fault.ts';
import { createHandlers } from './routes/handlers.ts';
import { openStore } from './storage/open-store.ts';
import type { Store } from './storage/store.ts';
import { createInteractionStore } from './store-access.ts';
import { createUpstreamRunner } from './upstream/runner.ts';

/** What a start needs beside the settings. */
export interface StartOptions {
  readonly version: string;
  /** Where the recorder's worker script stands. */
  readonly workerUrl: URL;
  readonly clock?: Clock;
  readonly declarations?: readonly SearchProvider[];
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** Takes no new request, waits for those under way, then closes the store. */
  readonly stop: () => Promise<void>;
}

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
    workerUrl: options.workerUrl,
    onWorkerError: (error) => log.error({ err: error }, 'the recorder ended; it is started again'),
  });
  try {
    return await listen(config, log, deployment, store, clock, options.version);
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
  version: string,
): Promise<RunningServer> {
  if (config.bootstrapApiKey) await ensureBootstrapKey(store.keys, clock, config.bootstrapApiKey);
  const instanceId = config.instanceId ?? (await store.setting('instance_id', clock.newId()));
  const runner = createUpstreamRunner({
    clock,
    breaker: config.breaker,
    proxy: { httpsProxy: config.httpsProxy, noProxy: config.noProxy },
    log,
  });
  const reportFault: ReportFault = (cause, what) => log.error({ err: cause }, what);
  const authenticator = createAuthenticator({ keys: store.keys, clock, log });
  // starts the recorder, so that the first request doesn't wait for it, and finds a store that cannot be written
  await store.ping();
  let isStopping = false;
  const handlers = createHandlers({
    deployment,
    runner,
    reader: store.reader,
    recorder: store.recorder,
    interactions: createInteractionStore(store, reportFault),
    clock,
    instanceId,
    requestDeadlineMs: config.requestDeadlineMs,
    reportFault,
    ping: () => store.ping(),
    isStopping: () => isStopping,
    openApi: openApiDocument(version),
  });
  const app = createHttpApp({
    handlers,
    authenticate: authenticator.authenticate,
    log,
    clock,
  });
  addDocsPage(app);
  const http = await startHttpServer(app, { host: config.host, port: config.port }).catch(
    async (error: unknown) => {
      await runner.close();
      throw error;
    },
  );
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
      await runner.close();
      await store.close();
    },
  };
}

/** Says at the start what an operator would otherwise find out from failed runs. */
function logDeployment(config: Config, deployment: Deployment, log: Logger): void {
  for (const name of config.unused)
    log.warn(`${name} is set, but this version does not use it yet`);
  for (const name of deployment.unknownDefaults) {
    log.warn(`DEFAULT_SEARCH_PROVIDERS names ${name}, which is no known provider; it is left out`);
  }
  for (const slug of deployment.defaultSet) {
    const provider = deployment.searchProviders.get(slug);
    if (!provider || provider.isConfigured) continue;
    log.warn(
      `${slug} runs by default but ${provider.target.credentialVariable} is not set: its runs will fail with missing_credential`,
    );
  }
}
