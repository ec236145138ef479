import { mcpMount } from '@trawl/cli/testing';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { startSite } from '@trawl/sandbox';
import { createLog } from '@trawl/server';
import { providerKey, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { ROOT } from './blocks.ts';

/** What the examples of a page call: a project of its own on a server in front of the sandbox. */
export interface PageServer {
  call: TestServer['call'];
  /** Settings of a command: those of the server, and the connection of a client. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * An example with the values that a reader would fill in: addresses, keys, and ids of a session
   * made for it.
   */
  fill(text: string): Promise<string>;
}

/** One server for all pages, since each takes 0.2 s to start. */
export interface DocsServer {
  forPage(page: string): Promise<PageServer>;
  stop(): Promise<void>;
}

type Replacement = readonly [RegExp | string, string];

/** A direct call to a provider goes to the sandbox. */
const vendorAddresses = ({ sandbox }: TestServer): readonly Replacement[] =>
  [...SEARCH_PROVIDERS, ...FETCH_PROVIDERS].flatMap((provider) => {
    const address = 'baseUrl' in provider ? provider.baseUrl : null;
    const vendor = sandbox.vendors.find((name) => name === provider.slug);
    return address === null || vendor === undefined ? [] : [[address, sandbox.baseUrl(vendor)]];
  });

async function recordedIds(call: TestServer['call']): Promise<readonly Replacement[]> {
  const search = { user_input: { query: 'tidal power' } };
  const { json } = await call('POST', '/v1/search', { body: search });
  const body = { interval_minutes: 60, search };
  const watch = await call('POST', '/v1/watches', { body });
  return [
    [/\bSESSION_ID\b/g, json.session_id],
    [/\bINTERACTION_ID\b/g, json.interaction_id],
    [/\bWATCH_ID\b/g, watch.json.id],
  ];
}

export async function startDocsServer(): Promise<DocsServer> {
  const site = await startSite();
  const settings = { FETCH_ALLOW_PRIVATE_HOSTS: new URL(site.url).host };
  const log = createLog('silent', process.stdout);
  const server = await startTestServer({
    env: settings,
    mounts: [mcpMount({ version: '0.0.0-test', log })],
  });
  return {
    forPage: (page) => ownProject({ server, settings, article: `${site.url}/article`, page }),
    stop: async () => {
      await server.stop();
      await site.stop();
    },
  };
}

async function ownProject({
  server,
  settings,
  article,
  page,
}: {
  readonly server: TestServer;
  readonly settings: Readonly<Record<string, string>>;
  readonly article: string;
  readonly page: string;
}): Promise<PageServer> {
  const { key } = await server.makeKey(page);
  const { id: otherKeyId } = await server.makeKey(`other of ${page}`);
  const { key: adminKey } = await server.makeKey(`operators of ${page}`, ['admin']);
  const call: TestServer['call'] = (method, path, request) =>
    server.call(method, path, { key, ...request });
  const values: readonly Replacement[] = [
    [/(http:\/\/(127\.0\.0\.1|localhost):8080|https:\/\/trawl\.example\.com)\b/g, server.url],
    [/<id>|\bKEY_ID\b/g, otherKeyId],
    [/tk_…|(?<=\bSERVICE_API_KEY=)…/g, key],
    [/(?<=\b[A-Z]+_API_KEY=)…/g, 'sandbox'],
    [/\/path\/to\/trawl\b/g, ROOT.replace(/\/$/, '')],
    ...vendorAddresses(server),
  ];
  return {
    call,
    environment: {
      ...settings,
      ...vendorSettings(server),
      DATA_DIR: server.database.location.dataDir,
      PORT: new URL(server.url).port,
      SERVICE_BASE_URL: server.url,
      SERVICE_API_KEY: key,
      KEY: key,
      ADMIN_KEY: adminKey,
    },
    fill: async (text) => {
      const ids = /_ID\b/.test(text) ? await recordedIds(call) : [];
      // the service's own reader needs a page that it can read without a network
      const reachable = /\bdirect\b/.test(text)
        ? text.replaceAll('https://example.com/', article)
        : text;
      return [...values, ...ids].reduce(
        (filled, [pattern, value]) => filled.replaceAll(pattern, value),
        reachable,
      );
    },
  };
}

const vendorSettings = ({ sandbox }: TestServer): Readonly<Record<string, string>> =>
  sandbox.allSettings(providerKey);
