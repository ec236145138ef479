import { type Clock, createClientAddress, type OutageLog, type ReportFault } from '@trawl/base';
import { DROP_INS } from '@trawl/drop-ins';
import type { Follow, Metrics, MetricsSnapshot } from '@trawl/telemetry';
import type { Logger } from 'pino';
import { type AuthenticatorOptions, createAuthenticator } from '../auth/authenticate.ts';
import { createHostCheck } from '../config/allowed-hosts.ts';
import type { Config } from '../config/config.ts';
import { createAdmission } from '../http/admission.ts';
import { createHttpApp } from '../http/bind.ts';
import { addBranch } from '../http/branch.ts';
import { addConsoleSite } from '../http/console-site.ts';
import { addDocsSite } from '../http/docs-site.ts';
import { addDropIns } from '../http/drop-ins.ts';
import type { Handlers } from '../http/handler.ts';
import { addMetrics } from '../http/metrics-route.ts';
import { addMount, type Mount } from '../http/mount.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { startHttpServer } from '../http/serve.ts';
import { closeAll } from './close-all.ts';
import type { ServerBranch, ServerParts } from './server-parts.ts';
import type { SharedState } from './shared-state.ts';

export interface ListenOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly version: string;
  readonly keys: AuthenticatorOptions['keys'];
  readonly outages: OutageLog;
  readonly shared: SharedState;
  readonly reportFault: ReportFault;
  readonly mounts?: readonly Mount[];
  readonly branches?: readonly ServerBranch[];
  readonly consoleFolder?: URL | undefined;
  readonly parts: ServerParts;
  /** undefined = nothing is measured. */
  readonly metrics: Metrics | undefined;
  readonly follow: Follow;
  /** What `/metrics` answers; that of this process when absent. */
  readonly metricsText?: MetricsText | undefined;
}

/** Makes the text of the metrics, for a process that is one of several, from its own and those that it asks the others for. */
export type MetricsText = (own: () => Promise<MetricsSnapshot>) => () => Promise<string>;

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Takes no new request, waits for those in progress, and closes the mounts. */
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

export const STOP_GRACE_MS = 30_000;

/** Binds the routes, the docs and the mounts to HTTP, and listens. */
export async function listen(handlers: Handlers, options: ListenOptions): Promise<Listening> {
  const { config, log, clock, version, keys, outages, reportFault, metrics, follow } = options;
  const { shared, mounts = [] } = options;
  const authenticator = createAuthenticator({ keys, clock, log });
  const { authenticate } = authenticator;
  shared.keyChanges?.onChange(authenticator.changed);
  const admission = createAdmission({ limit: config.maxActiveRequests, now: clock.now });
  const rateLimit = createRateLimit(shared.rateLimiter);
  const app = createHttpApp({
    handlers,
    authenticate,
    admission,
    outages,
    rateLimit,
    log,
    clock,
    onAnswered: metrics?.answered,
    follow,
  });
  metrics?.connect({
    requests: admission.load,
    ...(shared.redis === undefined ? {} : { redis: shared.redis }),
  });
  addDocsSite(app);
  const checkHost = createHostCheck(config);
  if (metrics) {
    const text = options.metricsText?.(metrics.snapshot) ?? metrics.text;
    addMetrics(app, { text, authenticate, checkHost, token: config.metricsToken });
  }
  if (config.console === 'on') addConsoleSite(app, { checkHost, folder: options.consoleFolder });
  const mounted = mounts.map((mount) =>
    addMount(app, mount, { authenticate, admission, checkHost }),
  );
  addDropIns(app, {
    dropIns: DROP_INS,
    deployment: options.parts.deployment,
    authenticate,
    admission,
    rateLimit,
    checkHost,
    keylessKey: config.compatSearxngKey,
    now: clock.now,
  });
  const clientAddress = createClientAddress(config.trustedProxies);
  const opened = (options.branches ?? []).map((branch) =>
    addBranch(app, branch, options.parts, { checkHost, admission, clientAddress, log }),
  );
  const http = await startHttpServer(app, {
    host: config.host,
    port: config.port,
    maxConnections: config.maxConnections,
    readers: { unsentMaxBytes: config.maxUnsentBytes },
    onClose: (cause) => outages.report(CLOSED[cause]),
  });
  authenticator.start();
  const database = config.databaseUrl ? 'postgres' : 'embedded';
  log.info({ url: http.url, version, database }, 'listening');
  return {
    url: http.url,
    port: http.port,
    stop: async () => {
      await http.stop(STOP_GRACE_MS);
      authenticator.stop();
      await closeAll([...mounted, ...opened], reportFault);
    },
  };
}
