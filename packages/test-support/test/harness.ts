import { Writable } from 'node:stream';
import { type Clock, systemClock } from '@trawl/base';
import { type KeyPermission, PERMISSIONS } from '@trawl/contract';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import type { Mount, ServerBranch } from '@trawl/server';
import {
  createLog,
  type Environment,
  ensureProject,
  issueKey,
  type RunningServer,
  readConfig,
  readProviderKeys,
  type StartOptions,
  startServer,
} from '@trawl/server';
import type { LeaseTimes, WatchTimes } from '@trawl/server/testing';
import { databases, type FreshDatabase, type TestDatabase } from './databases.ts';
import { extractWorkerUrl, recorderWorkerUrl } from './threads.ts';

/**
 * An answer of the server as a client sees it. `json` is undefined if the body is empty or not
 * JSON.
 */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by the contract's names; schemas check the shapes
  readonly json: any;
}

export interface Request {
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string | Uint8Array;
  /** null = no Authorization header; absent = the harness's own key. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** `manual` = the redirect itself is the answer. */
  readonly redirect?: 'manual';
}

/** A real server on a real store, in front of the sandbox. */
export interface TestServer {
  readonly url: string;
  readonly key: string;
  /** Id of that key. */
  readonly keyId: string;
  readonly projectId: string;
  readonly sandbox: Sandbox;
  readonly server: RunningServer;
  /** Its settings. With `watchesKeys`, `server.checkProviderKeys()` reads those of keys again. */
  readonly environment: Record<string, string | undefined>;
  readonly database: FreshDatabase;
  /** Everything that was logged so far. */
  logged(): string;
  call(method: string, path: string, request?: Request): Promise<Answer>;
  search(body: unknown, request?: Request): Promise<Answer>;
  fetch(body: unknown, request?: Request): Promise<Answer>;
  /** A key in a project of this name, which is created if it is new. */
  makeKey(
    project: string,
    permissions?: readonly KeyPermission[],
  ): Promise<{ id: string; key: string; projectId: string }>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly database?: TestDatabase;
  /** Settings over the harness's own. `undefined` removes one. */
  readonly env?: Environment;
  readonly mounts?: readonly Mount[];
  readonly branches?: readonly ServerBranch[];
  /** Where the build put the console. */
  readonly consoleFolder?: URL;
  /** Reads the keys of providers again when one of their files changes, as `trawl serve` does. */
  readonly watchesKeys?: boolean;
  /** Addresses of the sandbox without keys, as before the operator has any. */
  readonly hasNoKeys?: boolean;
  /** Time and ids; the system's when absent. */
  readonly clock?: Clock;
  /** Durations of leases on PostgreSQL; the usual ones when absent. */
  readonly leases?: LeaseTimes;
  /** Durations of watches; the usual ones when absent. */
  readonly watchTimes?: WatchTimes;
  /** Milliseconds between looks at the health of providers; the usual when absent. */
  readonly healthPauseMs?: number;
  /** A program that replaces the extraction thread. */
  readonly extractWorkerUrl?: URL;
  /** Reads documents of clients that log in; the guarded reader when absent. */
  readonly readDocument?: StartOptions['readDocument'];
}

/** Provider keys of the harness: unlikely texts, so a leak is found. */
export const providerKey = (vendor: string): string => `planted-${vendor}-5fJ2/"k+Zq=&x`;

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const [sqlite] = databases;
  const database = await (options.database ?? sqlite ?? fail()).create();
  const sandbox = await startSandbox();
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const vendors = Object.entries(sandbox.allSettings(providerKey));
  const environment = {
    ...Object.fromEntries(
      options.hasNoKeys ? vendors.filter(([name]) => !name.endsWith('_API_KEY')) : vendors,
    ),
    PORT: '0',
    BREAKER: 'off',
    SOURCE_PACE: 'off',
    CONTACT: 'operator@example.com',
    OPEN_SOURCES: 'all',
    LOG_LEVEL: 'debug',
    // a page must not be too slow to read on a machine under load
    PAGE_READ_TIMEOUT_MS: '60000',
    DATA_DIR: database.location.dataDir,
    DATABASE_URL: database.location.databaseUrl,
    ...options.env,
  };
  const config = readConfig(environment);
  const server = await startServer(config, createLog(config.logLevel, sink), {
    version: '0.0.0-test',
    workerUrl: recorderWorkerUrl(),
    extractWorkerUrl: options.extractWorkerUrl ?? extractWorkerUrl(),
    mounts: options.mounts ?? [],
    branches: options.branches ?? [],
    ...(options.clock ? { clock: options.clock } : {}),
    leases: options.leases,
    watchTimes: options.watchTimes,
    healthPauseMs: options.healthPauseMs,
    consoleFolder: options.consoleFolder,
    readDocument: options.readDocument,
    ...(options.watchesKeys ? { readProviderKeys: () => readProviderKeys(environment) } : {}),
  });
  const makeKey = async (project: string, permissions: readonly KeyPermission[] = PERMISSIONS) => {
    const made = await ensureProject(server.store.keys, systemClock, project);
    const { key, record } = await issueKey(server.store.keys, systemClock, {
      projectId: made.id,
      name: project,
      permissions,
      expiresAt: null,
    });
    return { id: record.id, key, projectId: made.id };
  };
  const { id: keyId, key, projectId } = await makeKey('main');
  const call = (method: string, path: string, request: Request = {}) =>
    send(`${server.url}${path}`, method, key, request);
  return {
    url: server.url,
    key,
    keyId,
    projectId,
    sandbox,
    server,
    environment,
    database,
    logged: () => lines.join(''),
    call,
    search: (body, request) => call('POST', '/v1/search', { body, ...request }),
    fetch: (body, request) => call('POST', '/v1/fetch', { body, ...request }),
    makeKey,
    stop: async () => {
      await server.stop();
      await sandbox.stop();
      await database.drop();
    },
  };
}

async function send(url: string, method: string, key: string, request: Request): Promise<Answer> {
  const body =
    request.rawBody ?? (request.body === undefined ? null : JSON.stringify(request.body));
  const bearer = request.key === undefined ? key : request.key;
  const response = await fetch(url, {
    method,
    body: body as string | null,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...request.headers,
    },
    ...(request.signal ? { signal: request.signal } : {}),
    ...(request.redirect ? { redirect: request.redirect } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(): never {
  throw new Error('no database to test on');
}
