import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { consoleBranch } from '@trawl/console-api';
import { openDatabase } from '@trawl/database';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { CHEAP_PASSWORDS } from '@trawl/test-support/cheap-passwords';
import { consolePeople } from '@trawl/test-support/console-server';
import { describeMainlyOn, type TestDatabase } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import {
  type Answer,
  providerKey,
  startTestServer,
  type TestServer,
} from '@trawl/test-support/harness';
import { backUp } from '@trawl/upkeep';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { dumpDatabase, formsOf, secretsIn } from './support/secrets.ts';

const BOOTSTRAP_API_KEY = 'b00tstrap"/k+Zq=&%41-<key>';
const DATABASE_PASSWORD = 'pl4nted-database-password';
const METRICS_TOKEN = 'm3trics"/t+Ken=&-of-the-canary';
const CONSOLE_SECRET = 'c0nsole"/s+Ecret=&-of-the-canary-test';
const WRONG_KEY = 'tk_wr0ngWr0ngWr0ngWr0ngWr0ng';

const ECHOES = [
  '[[*:echo-key]]',
  '[[*:echo-key,latency=1]]',
  '[[*:echo-key,latency=2]]',
  '[[*:echo-key,gzip]]',
  '[[*:echo-key,odd-rows]]',
  '[[*:echo-key,rows=40]]',
  '[[*:echo-key,too-large=50000]]',
  '[[*:echo-key,cut]]',
  '[[*:echo-key,broken-json]]',
  ...[400, 401, 402, 403, 404, 422, 429, 500, 503].map(
    (status) => `[[*:echo-key,status=${status}]]`,
  ),
];
const secondKey = (slug: string): string => providerKey(`second-${slug}`);
const SEARCHING = SEARCH_PROVIDERS.map(({ slug }) => slug);
const FETCHING = FETCH_PROVIDERS.flatMap(({ slug, kind }) => (kind === 'vendor' ? [slug] : []));
/** A page that the provider accepts, with a fault for its vendor. */
const pageFor = (slug: string, fault: string): string => {
  const collected = FETCH_PROVIDERS.find((provider) => provider.slug === slug)?.accepts;
  const page = collected
    ? 'https://www.linkedin.com/company/echo'
    : 'https://news.example.com/echo';
  return `${page}?q=${encodeURIComponent(fault)}`;
};
/**
 * Who is sent the echo of this index. Each provider has the plain one, and in the small form a
 * third of the others.
 */
const share = (slugs: readonly string[], echo: number): readonly string[] =>
  slugs.filter((_slug, at) => echo === 0 || (at + echo) % byForm({ small: 3, full: 1 }) === 0);
const OPTIONS = [
  { tier: 'max' },
  { tier: 'max', include_raw: true, include_full_content: true },
  { fields: ['title', 'enrichments', 'full_content'], include_raw: true },
];

describeMainlyOn('PostgreSQL', 'secrets', (database) => {
  let server: TestServer;
  let secrets: Readonly<Record<string, readonly string[]>>;
  let traces: TraceCollector;
  const answers: string[] = [];

  let stopping: Promise<void> | undefined;
  function stop(): Promise<void> {
    stopping ??= server.stop();
    return stopping;
  }

  async function take(answering: Promise<Answer>): Promise<Answer> {
    const answer = await answering;
    answers.push(JSON.stringify([...answer.headers]), answer.text);
    return answer;
  }

  beforeAll(async () => {
    traces = await startTraceCollector();
    server = await startTestServer({
      database: withPassword(database),
      branches: [consoleBranch({ passwords: CHEAP_PASSWORDS })],
      env: {
        ...Object.fromEntries(
          [...SEARCH_PROVIDERS, ...FETCH_PROVIDERS].flatMap((provider) =>
            'credentialVariables' in provider
              ? [
                  ...provider.credentialVariables.map((name) => [name, providerKey(provider.slug)]),
                  [`${provider.slug.toUpperCase()}_API_KEYS`, secondKey(provider.slug)],
                ]
              : [],
          ),
        ),
        DEFAULT_SEARCH_PROVIDERS: SEARCHING.join(','),
        BOOTSTRAP_API_KEY,
        METRICS_TOKEN,
        CONSOLE_SECRET,
        OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
        LOG_LEVEL: 'trace',
      },
    });
    const other = await server.makeKey('other');
    secrets = Object.fromEntries(
      Object.entries({
        ...Object.fromEntries([...SEARCHING, ...FETCHING].map((slug) => [slug, providerKey(slug)])),
        ...Object.fromEntries(
          [...SEARCHING, ...FETCHING].map((slug) => [`second ${slug}`, secondKey(slug)]),
        ),
        caller: server.key,
        'another caller': other.key,
        bootstrap: BOOTSTRAP_API_KEY,
        'metrics token': METRICS_TOKEN,
        'console secret': CONSOLE_SECRET,
        'refused caller': WRONG_KEY,
        'database password': DATABASE_PASSWORD,
      }).map(([name, secret]) => [name, formsOf(secret)]),
    );
    await useEverything(other.key);
  }, 120_000);
  afterAll(async () => {
    await stop();
    traces.close();
  });

  /** All requests to a server that could show a secret. */
  async function useEverything(otherKey: string): Promise<void> {
    const keys = [server.key, otherKey, BOOTSTRAP_API_KEY];
    const posting = Promise.all(
      ECHOES.map((fault, index) => {
        const key = keys[index % keys.length] ?? '';
        const search = OPTIONS[index % OPTIONS.length];
        const body = {
          user_input: { query: `echo ${fault}` },
          search: { ...search, providers: { include: share(SEARCHING, index) } },
        };
        return take(server.search(body, { key })).then((answer) => ({ key, answer }));
      }),
    );
    const fetching = Promise.all(
      ECHOES.flatMap((fault, index) =>
        share(FETCHING, index).map((slug) => {
          const options = { tier: 'max', providers: [slug] };
          const body = { urls: [pageFor(slug, fault)], options };
          return take(server.fetch(body)).then((answer) => ({ key: server.key, answer }));
        }),
      ),
    );
    // both at once: most of their time is that of pauses before another try
    const [posted, fetched] = await Promise.all([posting, fetching]);
    for (const { key, answer } of [...posted, ...fetched]) {
      const { session_id, interaction_id } = answer.json.error ?? answer.json;
      const session = `/v1/sessions/${session_id}`;
      const read = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
      for (const path of [read, `${session}/history?type=full`, `${session}/trajectory`]) {
        expect((await take(server.call('GET', path, { key }))).status).toBe(200);
      }
    }
    for (const path of [
      '/v1/usage?group_by=provider,key_tail',
      '/v1/sessions',
      '/v1/preprocessors',
      '/v1/fetch-providers',
      '/openapi.json',
      '/healthz',
      '/readyz',
      '/nowhere',
    ]) {
      await take(server.call('GET', path));
    }
    await otherWays();
    await refusals();
    await withoutStore();
  }

  /** Vendors' own routes, the metrics, and what the console reads. */
  async function otherWays(): Promise<void> {
    const query = 'echo [[*:echo-key,status=500]]';
    for (const path of ['/compat/exa/search', '/compat/tavily/search']) {
      await take(server.call('POST', path, { body: { query } }));
    }
    const authorization = `Bearer ${METRICS_TOKEN}`;
    const metrics = await take(
      server.call('GET', '/metrics', { key: null, headers: { authorization } }),
    );
    expect(metrics.status).toBe(200);
    const { operator, path } = consolePeople(server);
    const browser = await operator();
    for (const rest of ['/keys', '/providers', '/audit']) {
      expect((await take(browser.call('GET', path(rest)))).status).toBe(200);
    }
    const body = { operation: 'search' };
    await take(browser.call('POST', path('/v1/providers/exa/probe'), { body }));
  }

  async function refusals(): Promise<void> {
    for (const authorization of [`Bearer ${WRONG_KEY}`, `Basic ${server.key}`, server.key]) {
      await take(server.call('GET', '/v1/sessions', { key: null, headers: { authorization } }));
    }
    const { key } = await server.makeKey('main', ['fetch']);
    await take(server.search({ user_input: { query: 'x' } }, { key }));
    await take(server.search({ user_input: {} }));
    await take(server.call('POST', '/v1/search', { rawBody: '{"user_input":' }));
    await take(
      server.search({ user_input: { query: 'x' }, search: { providers: { include: [] } } }),
    );
  }

  /** A failing store is logged with its error. */
  async function withoutStore(): Promise<void> {
    const { db } = openDatabase(server.database.location, { connections: 1 });
    await db.schema.alterTable('interactions').renameTo('elsewhere').execute();
    const failed = await take(server.search({ user_input: { query: 'echo [[*:echo-key]]' } }));
    expect(failed.status).toBe(503);
    await take(server.call('GET', '/v1/sessions'));
    await take(server.call('GET', '/readyz'));
    await db.schema.alterTable('elsewhere').renameTo('interactions').execute();
    await db.destroy();
  }

  it('were sent to the providers and echoed by them, so this test can find them', () => {
    for (const vendor of [...SEARCHING, ...FETCHING]) {
      const sent = server.sandbox.calls.filter((call) => call.vendor === vendor);
      expect(sent.length).toBeGreaterThanOrEqual(ECHOES.length / byForm({ small: 3, full: 1 }));
      const keys = new Set(sent.map(({ key }) => key));
      // a used-up key (402) is left out of the next calls
      if (mayDropKey(vendor)) keys.delete(undefined);
      const own = [providerKey(vendor), secondKey(vendor)];
      expect(keys).toEqual(new Set(needsKey(vendor) ? own : [undefined]));
    }
    expect(answers.join()).toContain('[redacted]');
    const text = `x ${Buffer.from(`??${BOOTSTRAP_API_KEY}?`).toString('base64')}`;
    expect(secretsIn(text, secrets)).toEqual([expect.stringMatching(/^bootstrap: /)]);
  });

  it('are never in an answer', () => {
    expect(answers.length).toBeGreaterThan(ECHOES.length * 4);
    expect(answers.flatMap((text) => secretsIn(text, secrets))).toEqual([]);
  });

  it('are never in the log, even at level trace', () => {
    const logged = server.logged();
    expect(logged).toContain('"level":40');
    expect(secretsIn(logged, secrets)).toEqual([]);
  });

  it('are never in a column of the database', async () => {
    const dump = await dumpDatabase(server.database.location);
    expect([...dump.keys()]).toEqual(
      expect.arrayContaining(['api_keys', 'interactions', 'ledger', 'runs', 'settings']),
    );
    expect(dump.get('runs')).toContain('[redacted]');
    for (const [table, text] of dump) {
      expect(secretsIn(text, secrets).map((found) => `${table}: ${found}`)).toEqual([]);
    }
  });

  if (database.name === 'SQLite') {
    it('are never in a backup', async () => {
      const file = join(server.database.location.dataDir, 'backup.db');
      await backUp(server.database.location, file);
      expect(secretsIn(await readFile(file, 'latin1'), secrets)).toEqual([]);
    });

    it('are never in a file, including the write-ahead log', async () => {
      const { dataDir } = server.database.location;
      const names = await readdir(dataDir, { recursive: true });
      expect(names).toEqual(expect.arrayContaining(['trawl.db', 'trawl.db-wal']));
      for (const name of names) {
        const bytes = await readFile(join(dataDir, name), 'latin1');
        expect(secretsIn(bytes, secrets).map((found) => `${name}: ${found}`)).toEqual([]);
      }
    });
  }

  // the last one: the rest of the spans is sent at the end
  it('are never in a trace', async () => {
    await stop();
    const sent = traces.bodies.join('');
    expect(sent).toContain('retrieval exa');
    expect(secretsIn(sent, secrets)).toEqual([]);
  });
});

function mayDropKey(vendor: string): boolean {
  const provider = FETCH_PROVIDERS.find(({ slug }) => slug === vendor);
  if (provider === undefined || !('optionalParts' in provider)) return false;
  return (provider.optionalParts ?? []).some((part) => part.in === 'credential');
}

function needsKey(vendor: string): boolean {
  return SEARCH_PROVIDERS.find(({ slug }) => slug === vendor)?.authentication.in !== 'none';
}

/** The same database, reached with a password. A server that trusts its host accepts any. */
function withPassword(database: TestDatabase): TestDatabase {
  return {
    ...database,
    create: async () => {
      const fresh = await database.create();
      const { databaseUrl, dataDir } = fresh.location;
      if (databaseUrl === undefined) return fresh;
      const url = new URL(databaseUrl);
      if (url.password === '') url.password = DATABASE_PASSWORD;
      return { ...fresh, location: { databaseUrl: url.href, dataDir } };
    },
  };
}
