import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { systemClock } from '@trawl/base';
import { type KeyPermission, ROUTES, type Route, type RouteId } from '@trawl/contract';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { createLog, ensureProject, issueKey, readConfig, startServer } from '@trawl/server';
import { bundleForNode } from '../../packages/test-support/test/bundle-for-node.ts';

const RECORDER = new URL('../../packages/store/src/recorder/recorder-worker.ts', import.meta.url);
const EXTRACTOR = new URL('../../packages/reader/src/threads/extract-worker.ts', import.meta.url);

/** The time of the first request; each next one is a second later. */
const BEGAN = Date.parse('2026-03-02T09:14:07.872Z');

export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly accept?: string;
}

/** A server in front of the sandbox, with a clock that only requests move. */
export interface Service {
  readonly sandbox: Sandbox;
  /** Id of the project of its keys. */
  readonly projectId: string;
  /** Sends a request to a route. @returns the text of the answer. @throws unless it is a 2xx */
  send(id: RouteId, sent?: Sent): Promise<string>;
  stop(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trawl-examples-'));
  const sandbox = await startSandbox();
  const config = readConfig({
    ...sandbox.allSettings(() => 'sandbox-9fK2'),
    PORT: '0',
    DATA_DIR: dataDir,
    SOURCE_PACE: 'off',
    CONTACT: 'operator@example.com',
  });
  let now = BEGAN;
  const clock = { ...systemClock, now: () => now };
  const server = await startServer(config, createLog('silent', new PassThrough()), {
    version: '0.1.0',
    workerUrl: await bundleForNode(RECORDER),
    extractWorkerUrl: await bundleForNode(EXTRACTOR),
    clock,
    // a watch runs only when it is asked to
    watchTimes: { lookMs: 3_600_000 },
  });
  const { id: projectId } = await ensureProject(server.store.keys, clock, 'main');
  const keyWith = async (permissions: readonly KeyPermission[]): Promise<string> => {
    const made = { projectId, name: 'main', permissions, expiresAt: null };
    return (await issueKey(server.store.keys, clock, made)).key;
  };
  const key = await keyWith(['search', 'fetch', 'read', 'manage']);
  const adminKey = await keyWith(['admin']);
  return {
    sandbox,
    projectId,
    send: async (id, { params = {}, query = {}, body, accept = 'application/json' } = {}) => {
      now += 1_000;
      const { method, path, permission }: Route = ROUTES[id];
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      const response = await fetch(`${server.url}${filled}?${new URLSearchParams(query)}`, {
        method,
        headers: {
          accept,
          authorization: `Bearer ${permission === 'admin' ? adminKey : key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      if (response.ok) return withVendorAddresses(text, sandbox);
      throw new Error(`${method} ${filled} answered ${response.status}: ${text}`);
    },
    stop: async () => {
      await server.stop();
      await sandbox.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Calls to the sandbox as they would be to the vendor. */
const withVendorAddresses = (text: string, sandbox: Sandbox): string =>
  [...SEARCH_PROVIDERS, ...FETCH_PROVIDERS].reduce((replaced, provider) => {
    const vendor = sandbox.vendors.find((slug) => slug === provider.slug);
    const address = 'baseUrl' in provider ? provider.baseUrl : null;
    return vendor && address ? replaced.replaceAll(sandbox.baseUrl(vendor), address) : replaced;
  }, text);
