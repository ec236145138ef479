import {
  type Clock,
  type Closers,
  createClientAddress,
  type OutageLog,
  type ReportFault,
} from '@trawl/base';
import type { ProviderHealth } from '@trawl/contract';
import { DROP_INS } from '@trawl/drop-ins';
import type { Deployment, Executions } from '@trawl/router';
import type { Store } from '@trawl/store';
import type { Metrics, MetricsSnapshot, Observe } from '@trawl/telemetry';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { Logger } from 'pino';
import { createKeyAudit } from '../admin/audit-entry.ts';
import { type AuthenticatorOptions, createAuthenticator } from '../auth/authenticate.ts';
import { createReplayScope } from '../auth/replay-scope.ts';
import { createHostCheck } from '../config/allowed-hosts.ts';
import type { Config } from '../config/config.ts';
import { addDropIns } from '../drop-in/routes.ts';
import { createHttpApp } from '../http/bind.ts';
import { addBranch, type Branch } from '../http/branch.ts';
import type { Handlers } from '../http/handler.ts';
import { createAdmission } from '../http/request/admission.ts';
import { createRateLimit } from '../http/request/rate-limit.ts';
import { startHttpServer } from '../http/socket/serve.ts';
import type { Login } from '../login/open-login.ts';
import type { StoredKeys } from '../provider-keys/stored-keys.ts';
import { addConsoleSite } from '../sites/console-site.ts';
import { addDocsSite } from '../sites/docs-site.ts';
import { addLoginRoutes } from '../sites/login-routes.ts';
import { addMetrics } from '../sites/metrics-route.ts';
import { addMount, type Mount } from '../sites/mount.ts';
import type { ApiAsKey } from '../watches/run-watch.ts';
import { reportedClose } from './reported-close.ts';
import type { SharedState } from './shared-state.ts';
import type { KeysInUse } from './use-new-keys.ts';

export interface ListenOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly version: string;
  readonly keys: AuthenticatorOptions['keys'];
  readonly outages: OutageLog;
  readonly shared: SharedState;
  readonly reportFault: ReportFault;
  readonly mounts?: readonly Mount[] | undefined;
  readonly branches?: readonly ServerBranch[] | undefined;
  readonly consoleFolder?: URL | undefined;
  readonly parts: ServerParts;
  /** undefined = nothing is measured. */
  readonly metrics: Metrics | undefined;
  readonly observe: Observe;
  /** What `/metrics` answers; that of this process when absent. */
  readonly metricsText?: MetricsText | undefined;
  readonly executions: Executions;
  readonly closers: Closers;
}

/** What a running server gives to its branches. */
export interface ServerParts {
  readonly config: Config;
  readonly version: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly deployment: Deployment;
  readonly runner: MonitoredUpstreamRunner;
  /** How good the answers of a search provider are. */
  readonly healthOf: (provider: string) => ProviderHealth;
  readonly providerKeys: Pick<KeysInUse, 'isSetByEnvironment'> & { readonly stored: StoredKeys };
  /** undefined = no one logs in to `/mcp`. */
  readonly login: Login | undefined;
  readonly reportFault: ReportFault;
}

export type ServerBranch = Branch<ServerParts>;

/**
 * Makes the text of the metrics, for a process that is one of several, from its own and those that
 * it asks the others for.
 */
export type MetricsText = (own: () => Promise<MetricsSnapshot>) => () => Promise<string>;

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** The API from inside the process. */
  readonly api: ApiAsKey;
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

/** Binds the routes, the docs and the mounts to HTTP, and listens. */
export async function listen(handlers: Handlers, options: ListenOptions): Promise<Listening> {
  const { config, log, clock, version, keys, outages, reportFault, metrics, observe } = options;
  const { shared, executions, closers, parts } = options;
  const authenticator = createAuthenticator({ keys, clock, log });
  const { authenticate } = authenticator;
  closers.push(authenticator.stop);
  shared.keyChanges?.onChange(authenticator.changed);
  const admission = createAdmission({ limit: config.maxActiveRequests, now: clock.now });
  const rateLimit = createRateLimit(shared.rateLimiter);
  const clientAddress = createClientAddress(config.trustedProxies);
  const app = createHttpApp({
    handlers,
    authenticate,
    admission,
    outages,
    rateLimit,
    replayScope: createReplayScope(parts.store.reader),
    log,
    clock,
    keyAudit: createKeyAudit(parts.store.accounts.audit, clock),
    clientAddress,
    onAnswered: metrics?.answered,
    observe,
    requestDeadlineMs: config.requestDeadlineMs,
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
  addLoginRoutes(app, parts.login, { admission, clientAddress, ...shared });
  if (config.console === 'on') addConsoleSite(app, { checkHost, folder: options.consoleFolder });
  for (const mount of options.mounts ?? []) {
    const serving = { authenticate, admission, checkHost, login: parts.login };
    closers.push(reportedClose(addMount(app, mount, serving), reportFault));
  }
  addDropIns(app, {
    dropIns: DROP_INS,
    deployment: parts.deployment,
    authenticate,
    admission,
    rateLimit,
    checkHost,
    keylessKey: config.compatSearxngKey,
    now: clock.now,
  });
  for (const branch of options.branches ?? []) {
    const opened = addBranch(app, branch, parts, { checkHost, admission, clientAddress, log });
    closers.push(reportedClose(opened, reportFault));
  }
  const http = await startHttpServer(app, {
    host: config.host,
    port: config.port,
    maxConnections: config.maxConnections,
    readers: { unsentMaxBytes: config.maxUnsentBytes },
    onClose: (cause) => outages.report(CLOSED[cause]),
  });
  closers.push(() => executions.stop(http.stop(STOP_GRACE_MS), STOP_GRACE_MS));
  authenticator.start();
  const database = config.databaseUrl ? 'postgres' : 'embedded';
  log.info({ url: http.url, version, database }, 'listening');
  const api: ApiAsKey = async (request, caller) => app.fetch(request, { caller, isWatch: true });
  return { url: http.url, port: http.port, api };
}
