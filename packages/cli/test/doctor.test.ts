import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@trawl/base';
import { openSqlite } from '@trawl/database/sqlite';
import { type Sandbox, startSandbox, startSite } from '@trawl/sandbox';
import { type Environment, issueKey, readConfig, withStore } from '@trawl/server';
import { startConsoleServer } from '@trawl/test-support/console-server';
import { serveHttp } from '@trawl/test-support/loopback';
import { redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DoctorOptions, doctor } from '../src/doctor/doctor.ts';
import type { DoctorCheck } from '../src/doctor/doctor-check.ts';
import { checkClock, checkNode } from '../src/doctor/doctor-machine.ts';
import type { Runtime } from '../src/program/runtime.ts';
import { runCommand } from './support/command.ts';

const NO_WORKER = new URL('file:///no-worker-is-started-here.js');
const SECRET = 'hush-9Qx2';
/** A page of the sandbox's web. */
const PAGE = 'https://www.example.com/guides/solar-kilns';

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-doctor-'));
});
afterEach(async () => {
  sandbox.clearFaults();
  sandbox.clearCalls();
  await rm(folder, { recursive: true, force: true });
});

/** Settings that give these vendors of the sandbox a key. */
const vendors = (...names: readonly string[]): Environment =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`${name.toUpperCase()}_BASE_URL`, sandbox.baseUrl(name)],
      [`${name.toUpperCase()}_API_KEY`, `${SECRET}-${name}`],
    ]),
  );

interface Seen {
  readonly healthy: boolean;
  readonly text: string;
  readonly notes: string;
  /** The checks of this name. */
  readonly of: (name: string) => readonly DoctorCheck[];
}

async function examine(
  settings: Environment,
  options: Partial<DoctorOptions> = {},
  answer: boolean | null = null,
): Promise<Seen> {
  const environment = { DATA_DIR: folder, PORT: '0', ...settings };
  const runtime: Runtime = {
    environment,
    version: '0.0.0-test',
    isClone: true,
    workerUrl: NO_WORKER,
    extractWorkerUrl: NO_WORKER,
  };
  let text = '';
  let notes = '';
  const isHealthy = await doctor(
    runtime,
    { page: PAGE, json: true, ...options },
    {
      print: (printed) => {
        text += printed;
      },
      note: (noted) => {
        notes += noted;
      },
      confirm: async (question) => {
        notes += question;
        return answer;
      },
    },
  );
  expect(text + notes).not.toContain(SECRET);
  const checks: readonly DoctorCheck[] = options.json === false ? [] : JSON.parse(text).checks;
  return {
    healthy: isHealthy,
    text,
    notes,
    of: (name) => checks.filter(({ check }) => check === name),
  };
}

describe('without --probe', () => {
  test('with everything in order the report is healthy and short, and no provider is called', async () => {
    const seen = await examine(vendors('exa', 'brave'), { json: false });
    expect(seen.healthy).toBe(true);
    expect(seen.text).toMatch(/^ok +node +Node\.js/);
    expect(seen.text).toMatch(/^ok +database +does not exist yet; the first start creates it in /m);
    expect(seen.text).toMatch(/^ok +disk +[\d,]+ MiB free in /m);
    // checks that pass share a line
    expect(seen.text).toMatch(/^- +search +configured, and called with --probe: exa, brave$/m);
    expect(seen.text).toMatch(/^- +search +not configured: tavily, .*searxng/m);
    expect(seen.text).toMatch(
      /^- +fetch +configured, and called with --probe: exa, jina, direct$/m,
    );
    expect(seen.text).toMatch(/^- +fetch +not configured: .*firecrawl/m);
    expect(seen.text.split('\n').length).toBeLessThan(17);
    expect(seen.text).toMatch(/without a key; runs at its slower pace, since CONTACT is not set/);
    expect(seen.text).not.toContain('without a key, without a key');
    expect(seen.text.trimEnd()).toMatch(/\n\nno problems, no warnings$/);
    expect(sandbox.calls).toEqual([]);
  });

  test('names where alerts go, without what may be secret', async () => {
    const seen = await examine({
      ALERT_WEBHOOK_URL: `https://hooks.example.com/${SECRET}`,
      ALERT_WEBHOOK_SECRET: `${SECRET}-of-the-webhook`,
    });
    expect(seen.of('alerts')).toMatchObject([
      { state: 'ok', message: expect.stringContaining('alerts go to hooks.example.com') },
    ]);
    expect(seen.text).not.toContain(SECRET);
  });

  test('counts keys that were set in the console, and says which do not open', async () => {
    const server = await startConsoleServer({ env: { EXA_API_KEY: undefined } });
    const operator = await server.operator();
    const body = { provider: 'exa', key: `${SECRET}-exa` };
    await operator.call('POST', '/console/api/provider-keys', { body });
    await server.server.stop();
    const DATA_DIR = server.database.location.dataDir;
    const same = await examine({ DATA_DIR }, { json: false });
    expect(same.text).toMatch(/search +configured, and called with --probe: exa$/m);
    const other = await examine({ DATA_DIR, SECRETS_KEY: 'A'.repeat(43) });
    expect(other.of('exa key')).toMatchObject([
      {
        state: 'warning',
        message: expect.stringContaining('does not open under this SECRETS_KEY'),
      },
    ]);
    await server.stop();
  });

  test('the same as JSON', async () => {
    const { text, of } = await examine(vendors('exa', 'brave'));
    expect(JSON.parse(text)).toMatchObject({ healthy: true, problems: 0, warnings: 0 });
    expect([...of('search exa'), ...of('search tavily'), ...of('search searxng')]).toEqual([
      { check: 'search exa', state: 'skipped', message: 'configured; --probe calls it' },
      {
        check: 'search tavily',
        state: 'skipped',
        message: 'not configured: TAVILY_API_KEY is not set',
      },
      {
        check: 'search searxng',
        state: 'skipped',
        message: 'not configured: SEARXNG_BASE_URL is not set',
      },
    ]);
  });

  test('each wrong setting is a problem, and its value is not printed', async () => {
    const seen = await examine({ PORT: 'http', EXA_API_KEY: `${SECRET} ${SECRET}` });
    expect(seen.healthy).toBe(false);
    expect(seen.of('settings').map(({ state, message }) => [state, message])).toEqual([
      ['problem', 'PORT must be a whole number from 0 to 65535'],
      ['problem', 'EXA_API_KEY must be printable ASCII without spaces'],
    ]);
  });

  test('settings that change nothing are warnings', async () => {
    const seen = await examine({
      ...vendors('exa'),
      REDIS_PAGE_CACHE_MAX_BYTES: '2000000',
      TOPIC_EMBEDDINGS_API_KEY: SECRET,
      SEARXNG_API_KEY: SECRET,
      DEFAULT_SEARCH_PROVIDERS: 'exa,brave,unknown-one',
    });
    expect(seen.healthy).toBe(true);
    const messages = seen.of('settings').map(({ state, message }) => `${state} ${message}`);
    expect(messages.map((message) => message.split(' ').slice(0, 3).join(' '))).toEqual([
      'warning DEFAULT_SEARCH_PROVIDERS names',
      'warning brave runs',
      'warning TOPIC_EMBEDDINGS_API_KEY is',
      'warning REDIS_PAGE_CACHE_MAX_BYTES is',
      'warning SEARXNG_API_KEY is',
    ]);
  });
});

describe('tables of the operator', () => {
  const table = async (name: string, ...lines: readonly string[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, lines.join('\n'));
    return path;
  };
  const COLUMNS = 'language\tmatch\ttopic\tweight\tterms';

  test('are counted, and reported when they are unused', async () => {
    const TOPIC_WORDS_FILE = await table('w', COLUMNS, 'fi\twords\tnews\t3\tuutinen, uutiset');
    const { of } = await examine({ ...vendors('exa'), TOPIC_WORDS_FILE });
    expect(of('topic words')).toMatchObject([{ state: 'ok', message: '2 of your own are loaded' }]);
    const PAGE_RULES_FILE = await table(
      'p',
      'family\tpart\tlanguage\ttext',
      'missing_page\ttitle\tis\tsíða fannst ekki',
    );
    const rules = await examine({ ...vendors('exa'), PAGE_RULES_FILE });
    expect(rules.of('page rules')).toMatchObject([
      { state: 'ok', message: '1 of your own are loaded' },
    ]);
    const idle = await examine({
      ...vendors('exa'),
      TOPIC_WORDS_FILE,
      TOPIC_EMBEDDINGS_URL: 'http://127.0.0.1:9',
    });
    expect(idle.of('settings').map(({ message }) => message)).toContain(
      'TOPIC_WORDS_FILE is set, but changes nothing: TOPIC_EMBEDDINGS_URL is set',
    );
  });

  test('are a problem with line and column when they are wrong', async () => {
    const TOPIC_WORDS_FILE = await table('w', COLUMNS, 'fi\twords\tnews\t9\tuutinen');
    const { healthy, of } = await examine({ ...vendors('exa'), TOPIC_WORDS_FILE });
    expect(healthy).toBe(false);
    expect(of('settings').map(({ message }) => message)).toEqual([
      `TOPIC_WORDS_FILE must name a table of topic words: ${TOPIC_WORDS_FILE} has a wrong line 2: weight must be one of 1, 2, 3`,
    ]);
  });
});

describe('login for /mcp', () => {
  /** A proxy in front of the server, by which clients reach it. */
  const proxy = (issuer: (own: string) => string | undefined) =>
    serveHttp((response, { headers }) => {
      const named = issuer(`http://${headers.host}`);
      if (named === undefined) response.writeHead(404).end();
      else if (named.startsWith('<')) response.end(named);
      else response.end(JSON.stringify({ issuer: named }));
    });

  test.each([
    ['passes it on', (own: string) => own, 'ok', 'people log in to http'],
    ['drops /.well-known', () => undefined, 'warning', 'is answered with HTTP 404'],
    ['answers with a page', () => '<html>', 'warning', 'is not answered with JSON'],
    ['leads elsewhere', () => 'https://a.example', 'problem', 'another server answers at'],
  ] as const)('is found or not by clients where a proxy %s', async (_what, issuer, state, says) => {
    const { url: PUBLIC_URL } = await proxy(issuer);
    const { of } = await examine({ ...vendors('exa'), MCP_LOGIN: 'on', PUBLIC_URL });
    expect(of('login')).toMatchObject([{ state, message: expect.stringContaining(says) }]);
  });

  test('without PUBLIC_URL is a warning that names it', async () => {
    const { of } = await examine({ ...vendors('exa'), MCP_LOGIN: 'on' });
    expect(of('settings').map(({ message }) => message)).toContain(
      'MCP_LOGIN=on has no effect: PUBLIC_URL is not set, by which clients and browsers reach this server',
    );
    expect(of('login')).toEqual([]);
  });
});

describe('search', () => {
  test('without a known name in its default set is a problem that names the setting', async () => {
    const { healthy, of } = await examine({
      ...vendors('exa'),
      DEFAULT_SEARCH_PROVIDERS: 'exaa',
    });
    expect(healthy).toBe(false);
    expect(of('settings')[0]).toMatchObject({
      state: 'problem',
      message: expect.stringMatching(/^DEFAULT_SEARCH_PROVIDERS names no known provider: .* exa, /),
    });
  });

  test('without any provider is a problem, and without one of the defaults a warning', async () => {
    const none = await examine({ KEYLESS_SEARCH: 'off' });
    expect([none.healthy, none.of('settings')]).toEqual([
      false,
      [
        {
          check: 'settings',
          state: 'problem',
          message: expect.stringMatching(/^no search provider is configured, .*EXA_API_KEY/),
        },
      ],
    ]);
    const other = await examine({ ...vendors('exa'), DEFAULT_SEARCH_PROVIDERS: 'brave' });
    expect(other.of('settings')[0]?.message).toMatch(/ fails until BRAVE_API_KEY is set$/);
  });
});

describe('names that are not settings', () => {
  const warningsFor = async (...names: readonly string[]) => {
    const wrong = Object.fromEntries(names.map((name) => [name, SECRET]));
    const { of } = await examine({ ...vendors('exa', 'brave'), ...wrong });
    return of('settings').map(({ state, message }) => `${state} ${message}`);
  };

  test.each([
    ['EXA_APIKEY', 'EXA_API_KEY'],
    ['BRAVE_KEYS', 'BRAVE_API_KEYS'],
    ['TAVLIY_API_KEY', 'TAVILY_API_KEY'],
    ['FETCH_CHAINS', 'FETCH_CHAIN'],
    ['DATADIR', 'DATA_DIR'],
    ['TAVILY_KEY', 'TAVILY_API_KEY'],
    ['EXA_TOKEN', 'EXA_API_KEY'],
  ])('%s: the setting that was meant is suggested', async (wrong, meant) => {
    const hint = `warning ${wrong} is not a setting; did you mean ${meant}?`;
    expect(await warningsFor(wrong)).toEqual([hint]);
  });

  test('but belong to other programs are ignored', async () => {
    const others = ['HOME', 'HOSTNAME', 'HTTP_PROXY', 'ALL_PROXY', 'XAI_API_KEY', 'NO_COLOR'];
    expect(await warningsFor(...others)).toEqual([expect.stringMatching(/^ok /)]);
  });
});

describe.skipIf(redisAbsent)(`Redis${redisAbsent ? ` (skipped: ${redisAbsent})` : ''}`, () => {
  test('answers; drops keys when it is full; or does not answer', async () => {
    const redis = await startRedis('--requirepass', SECRET);
    const REDIS_URL = redis.url.replace('//', `//:${SECRET}@`);
    const look = async () => {
      const { healthy, of } = await examine({ ...vendors('exa'), REDIS_URL });
      return { healthy, check: of('redis')[0] };
    };
    try {
      expect(await look()).toMatchObject({ healthy: true, check: { state: 'ok' } });
      expect((await look()).check?.message).toMatch(/^answers and takes writes \(\d+\.\d+\.\d+\)$/);
      await redis.cli('-a', SECRET, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
      expect(await look()).toMatchObject({ healthy: true, check: { state: 'warning' } });
    } finally {
      await redis.kill();
    }
    const { healthy, check } = await look();
    expect([healthy, check?.state]).toEqual([false, 'problem']);
    expect(check?.message).toContain(`does not answer at ${redis.url} (ECONNREFUSED)`);
  });

  test('is not looked at where none is set', async () => {
    expect((await examine(vendors('exa'))).of('redis')).toEqual([]);
  });
});

describe('the database', () => {
  const openStore = (dataDir: string) =>
    withStore(readConfig({ DATA_DIR: dataDir }), NO_WORKER, async ({ keys }) => {
      const project = await keys.ensureProject({
        id: systemClock.newId(),
        name: 'main',
        createdAt: '2026-01-01T00:00:00.000Z',
      });
      await issueKey(keys, systemClock, {
        projectId: project.id,
        name: 'key',
        permissions: ['read'],
        expiresAt: null,
      });
      return keys.listKeys(undefined);
    });

  test('that exists answers and keeps what it holds', async () => {
    const before = await openStore(folder);
    const { of } = await examine({});
    expect(of('database')).toEqual([
      { check: 'database', state: 'ok', message: 'answers and is writable' },
    ]);
    expect(await openStore(folder)).toHaveLength(before.length + 1);
  });

  test('of an earlier build is a problem, with what to do', async () => {
    const connection = openSqlite(join(folder, 'trawl.db'));
    connection.prepare('create table schema_migrations (name text)').run([]);
    connection.prepare("insert into schema_migrations values ('0001_initial')").run([]);
    connection.close();
    const { healthy, of } = await examine({});
    expect([healthy, of('database')[0]?.state]).toEqual([false, 'problem']);
    expect(of('database')[0]?.message).toContain('"git checkout 20541163c003"');
  });

  test('that does not exist yet is not created', async () => {
    const dataDir = join(folder, 'a', 'b');
    const { of } = await examine({ DATA_DIR: dataDir });
    expect(of('database')[0]?.message).toContain(folder);
    await expect(stat(join(folder, 'a'))).rejects.toThrow('ENOENT');
  });

  test('that is damaged is a problem', async () => {
    await writeFile(join(folder, 'trawl.db'), 'this is not a database, '.repeat(500));
    const { healthy, of } = await examine({});
    expect([healthy, of('database')[0]?.state]).toEqual([false, 'problem']);
    expect(of('database')[0]?.message).toMatch(/^does not answer \(.+\): check DATA_DIR/);
  });

  test('below a file is a problem', async () => {
    await writeFile(join(folder, 'file'), '');
    const { healthy, of } = await examine({ DATA_DIR: join(folder, 'file', 'data') });
    expect([healthy, of('database')[0]?.state]).toEqual([false, 'problem']);
    expect(of('database')[0]?.message).toContain('set DATA_DIR to a folder');
  });

  test('that is on another host and down is a problem, and its password is not printed', async () => {
    const { healthy, of } = await examine({
      DATA_DIR: undefined,
      DATABASE_URL: `postgres://user:${SECRET}@127.0.0.1:1/trawl`,
    });
    expect(healthy).toBe(false);
    expect(of('database')[0]?.message).toMatch(/^does not answer \(ECONNREFUSED\): /);
    expect(of('disk')).toEqual([]);
  });
});

describe('the server', () => {
  async function answering(status: number, body: string): Promise<DoctorCheck | undefined> {
    const server = createServer((_request, response) => {
      response.statusCode = status;
      response.end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      return (await examine({ HOST: '0.0.0.0', PORT: String(port) })).of('server')[0];
    } finally {
      server.close();
      await once(server, 'close');
    }
  }

  test('that is ready is fine; one that is not ready, or is another program, is a problem', async () => {
    expect(await answering(200, '{"status":"ok"}')).toMatchObject({ state: 'ok' });
    expect(await answering(503, '{"status":"unavailable","detail":"x"}')).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('not ready'),
    });
    expect(await answering(200, '<html>')).toMatchObject({
      state: 'problem',
      message: expect.stringContaining('something other than trawl'),
    });
  });

  test('that is not started is a warning', async () => {
    const seen = await examine({ ...vendors('exa', 'brave'), PORT: '1' });
    expect(seen.of('server')[0]).toMatchObject({ state: 'warning' });
    expect(seen.healthy).toBe(true);
  });
});

test('the oldest accepted Node.js is the one that package.json names', async () => {
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const least = /(\d+)\.(\d+)/.exec(JSON.parse(manifest).engines.node) ?? [];
  const [, major, minor] = least.map(Number);
  expect(checkNode(`${major}.${minor}.0`).state).toBe('ok');
  expect(checkNode(`${major}.${Number(minor) - 1}.9`).state).toBe('problem');
});

test('a clock that is behind is a problem', () => {
  const known = { pricesOf: '2026-11-21', newestAt: '2027-01-01T10:00:00.000Z' };
  expect(checkClock(Date.parse('1970-01-02'), known).message).toContain('price list');
  expect(checkClock(Date.parse('2027-01-01T09:59:00Z'), known).message).toContain('newest stored');
  expect(checkClock(Date.parse('2027-01-01T10:01:00Z'), known).state).toBe('ok');
  expect(checkClock(Date.now(), { pricesOf: 'our contract', newestAt: null }).state).toBe('ok');
});

describe('--probe', () => {
  const YES = { yes: true };

  test('calls each configured provider once with its cheapest request, and shows latency and cost', async () => {
    const seen = await examine(vendors('exa', 'brave', 'tavily'), {
      ...YES,
      probe: 'exa,brave,tavily',
    });
    expect(seen.healthy).toBe(true);
    for (const name of ['search exa', 'search brave', 'search tavily', 'fetch exa']) {
      expect(seen.of(name), name).toMatchObject([
        { state: 'ok', latency_ms: expect.any(Number), cost_usd: expect.any(Number) },
      ]);
    }
    expect(sandbox.calls.map(({ vendor }) => vendor).sort()).toEqual([
      ...['brave', 'exa', 'exa', 'tavily', 'tavily'],
    ]);
    expect(seen.of('fetch jina')).toMatchObject([{ state: 'skipped' }]);
    expect(seen.notes).toContain('search brave  $0.0050\n');
  });

  test('reports what is wrong with each, and what to do about it', async () => {
    const faults: Readonly<Record<string, string>> = {
      you: 'status=503',
      linkup: 'hang',
      serpapi: 'not-json',
      seltz: 'status=429,retry-after=3600',
    };
    for (const [vendor, fault] of Object.entries(faults)) sandbox.inject(vendor, fault);
    const names = ['exa', 'brave', 'tavily', 'parallel', 'ceramic', ...Object.keys(faults)];
    const seen = await examine(
      {
        ...vendors(...names),
        EXA_API_KEY: `bad-${SECRET}`,
        BRAVE_API_KEY: `quota-${SECRET}`,
        TAVILY_BASE_URL: 'http://127.0.0.1:1',
        PARALLEL_BASE_URL: `${sandbox.url}/unknown-one`,
        LINKUP_TIMEOUT_MS: '300',
      },
      { ...YES, probe: names.join(',') },
    );
    expect(seen.healthy).toBe(false);
    const result = (name: string) => seen.of(name).map(({ state, code }) => `${state} ${code}`);
    expect(result('search exa')).toEqual(['problem invalid_credential']);
    expect(result('fetch exa')).toEqual(['problem invalid_credential']);
    expect(result('search brave')).toEqual(['problem quota_exhausted']);
    expect(result('search tavily')).toEqual(['problem network_error']);
    expect(result('search parallel')).toEqual(['problem bad_request']);
    expect(result('search you')).toEqual(['problem upstream_error']);
    expect(result('search linkup')).toEqual(['problem timeout']);
    expect(result('search serpapi')).toEqual(['problem bad_response']);
    expect(result('search seltz')).toEqual(['warning rate_limited']);
    expect(result('search ceramic')).toEqual(['ok undefined']);
    expect(seen.of('search exa')[0]?.message).toMatch(/refused its credential .*check its API key/);
  });

  test('each of several keys is called, and shown by its last four characters', async () => {
    const environment = {
      ...vendors('exa', 'searxng'),
      EXA_API_KEY: undefined,
      EXA_API_KEYS: 'good-planted-key-1w1w, bad-planted-key-2x2x,short-one',
      SEARXNG_BASE_URL: `${sandbox.url}/searxng,http://127.0.0.1:1`,
    };
    const seen = await examine(environment, { ...YES, probe: 'exa,searxng' });
    const result = (name: string) => seen.of(name).map(({ state, code }) => `${state} ${code}`);
    for (const role of ['search', 'fetch']) {
      expect(result(`${role} exa key …1w1w`)).toEqual(['ok undefined']);
      expect(result(`${role} exa key …2x2x`)).toEqual(['problem invalid_credential']);
      expect(result(`${role} exa key 3`)).toEqual(['ok undefined']);
    }
    expect(result(`search searxng ${sandbox.url}/searxng`)).toEqual(['ok undefined']);
    expect(result('search searxng http://127.0.0.1:1')).toEqual(['problem network_error']);
    expect(seen.notes).toContain('search exa key …2x2x  $0.0070\n');
    const unasked = await examine(environment);
    expect(unasked.of('search exa key …1w1w')).toMatchObject([{ state: 'skipped' }]);
  });

  test('a page that cannot be read is a warning: the provider works', async () => {
    const page = 'https://www.example.com/missing';
    const seen = await examine(vendors('exa', 'brave'), { ...YES, probe: 'exa', page });
    expect(seen.of('fetch exa')).toMatchObject([{ state: 'warning', code: 'not_found' }]);
    expect(seen.healthy).toBe(true);
  });

  test('a provider that accepts only other pages is not called for this one', async () => {
    const seen = await examine(vendors('brightdata'), { ...YES, probe: 'brightdata' });
    expect(seen.of('fetch brightdata')).toMatchObject([
      { state: 'skipped', message: expect.stringContaining('--page') },
    ]);
    expect(sandbox.calls).toEqual([]);
  });

  test('a named provider without a key is a problem, and an unknown name is refused', async () => {
    const seen = await examine({}, { ...YES, probe: 'exa' });
    expect(seen.of('search exa')).toMatchObject([
      { state: 'problem', message: 'not configured: EXA_API_KEY is not set' },
    ]);
    await expect(examine({}, { ...YES, probe: 'exa,other' })).rejects.toThrow(/called other$/);
  });

  test('shows the price and asks first; after a no everything else is still checked', async () => {
    const options = { probe: 'exa' };
    const refused = await examine(vendors('exa', 'brave'), options, false);
    expect(refused.notes).toMatch(/Make 2 calls for (about )?\$0\.\d+\?$/);
    expect(refused.of('search exa')).toMatchObject([{ state: 'skipped' }]);
    expect(sandbox.calls).toEqual([]);
    const agreed = await examine(vendors('exa', 'brave'), options, true);
    expect(agreed.of('search exa')).toMatchObject([{ state: 'ok' }]);
  });

  test('is refused when it cannot ask for confirmation', async () => {
    await expect(examine(vendors('exa'), { probe: 'exa' })).rejects.toThrow(
      /--yes makes the calls without a question/,
    );
    expect(sandbox.calls).toEqual([]);
  });
});

describe('trawl doctor in a folder with a .env', () => {
  /** The checks of this name, without a setting in the environment. */
  async function checksWith(content: string, environment: Record<string, string> = {}) {
    await writeFile(join(folder, '.env'), content);
    const settings = { DATA_DIR: folder, PORT: '0', ...environment };
    const { stdout } = await runCommand({ args: ['doctor', '--json'], settings, folder });
    expect(stdout).not.toContain(SECRET);
    const checks: readonly DoctorCheck[] = JSON.parse(stdout).checks;
    const messagesOf = (name: string) =>
      checks.filter(({ check }) => check === name).map(({ message }) => message);
    return { messagesOf, warnings: messagesOf('settings') };
  }

  test('that begins with a byte order mark: its first variable counts', async () => {
    const exa = `EXA_API_KEY=${SECRET}\r\nDEFAULT_SEARCH_PROVIDERS=exa\r\n`;
    const first = await checksWith(`\ufeff${exa}`);
    expect(first.messagesOf('search exa')).toEqual(['configured; --probe calls it']);
    expect(first.warnings).toEqual(['all settings are valid and used']);
    const unknown = await checksWith(`\ufeffTAVILY_KEY=${SECRET}\r\n${exa}`);
    expect(unknown.messagesOf('search exa')).toEqual(['configured; --probe calls it']);
    expect(unknown.warnings).toEqual(['TAVILY_KEY is not a setting; did you mean TAVILY_API_KEY?']);
  });

  const EXA = { EXA_API_KEY: SECRET, DEFAULT_SEARCH_PROVIDERS: 'exa' };

  test('names what is part of a setting, and limits that are not settings', async () => {
    const names = ['SEARCH_PROVIDERS', 'PAGE_CACHE_TTL', 'BRAVE_API', 'CONSOLE_OIDC_CLIENT'];
    const limits = ['RATE_LIMIT', 'MONTHLY_BUDGET_USD'];
    const lines = [...names, ...limits].map((name) => `${name}=${SECRET}\n`).join('');
    const { warnings } = await checksWith(lines, EXA);
    expect(warnings.toSorted()).toEqual([
      'BRAVE_API is not a setting; did you mean BRAVE_API_KEY or BRAVE_API_KEYS?',
      'CONSOLE_OIDC_CLIENT is not a setting; did you mean CONSOLE_OIDC_CLIENT_ID or CONSOLE_OIDC_CLIENT_SECRET?',
      expect.stringMatching(/^MONTHLY_BUDGET_USD is not a setting: .* keys .*--monthly-budget/),
      'PAGE_CACHE_TTL is not a setting; did you mean PAGE_CACHE_TTL_SECONDS?',
      expect.stringMatching(/^RATE_LIMIT is not a setting: .* keys limit ID --rate-limit/),
      'SEARCH_PROVIDERS is not a setting; did you mean DEFAULT_SEARCH_PROVIDERS?',
    ]);
  });

  test('names what is only near a setting once', async () => {
    const { warnings } = await checksWith(`BRAVE_APIKEY=${SECRET}\n`, EXA);
    expect(warnings).toEqual(['BRAVE_APIKEY is not a setting; did you mean BRAVE_API_KEY?']);
  });

  test('knows the variables of declared providers, and counts these', async () => {
    const path = join(folder, 'providers.yaml');
    await writeFile(
      path,
      `providers: [{ slug: acme, url: "https://acme.example/", query: { q: "{query}", t: "\${TAVILY_KEY}" }, results: r, fields: { url: u } }]`,
    );
    const { warnings, messagesOf } = await checksWith(`TAVILY_KEY=${SECRET}\n`, {
      PROVIDERS_FILE: path,
    });
    expect(warnings).toEqual(['all settings are valid and used']);
    expect(messagesOf('declared providers')).toEqual(['1 of your own are loaded']);
    expect(messagesOf('search acme')).toEqual(['configured; --probe calls it']);
  });

  test('ignores names of other programs, and all of these in the environment', async () => {
    const others = ['API_KEY', 'CLIENT_ID', 'CLIENT_SECRET', 'BASE_URL', 'TIMEOUT_MS', 'KEY_FILE'];
    const more = ['DATABASE', 'DIRECT_URL', 'POSTGRES_PASSWORD', 'NODE_ENV', 'SERVICE_API_KEY'];
    const lines = [...others, ...more].map((name) => `${name}=${SECRET}\n`).join('');
    const environment = { SEARCH_PROVIDERS: 'exa', RATE_LIMIT: '60', PAGE_CACHE: 'on' };
    const { warnings } = await checksWith(lines, { ...EXA, ...environment });
    expect(warnings).toEqual(['all settings are valid and used']);
  });
});

describe('trawl doctor', () => {
  async function run(settings: Record<string, string>, ...args: readonly string[]) {
    const own = { DATA_DIR: folder, PORT: '0', ...settings };
    const words = ['doctor', '--json', ...args];
    const { code, stdout } = await runCommand({ args: words, settings: own, folder });
    return { code, ...JSON.parse(stdout) };
  }

  test('exits with 1 on a problem and with 0 without one', async () => {
    const settings = { EXA_API_KEY: 'a-key-of-a-test' };
    expect(await run({ ...settings, BREAKER: 'off' })).toMatchObject({ code: 0, healthy: true });
    const nothing = { KEYLESS_SEARCH: 'off' };
    expect(await run(nothing)).toMatchObject({ code: 1, healthy: false, problems: 1 });
    expect(await run({ BREAKER: 'maybe' })).toMatchObject({ code: 1, healthy: false });
  });

  test("--probe reads a page with the service's own reader too", async () => {
    const site = await startSite();
    try {
      const settings = { FETCH_ALLOW_PRIVATE_HOSTS: new URL(site.url).host };
      const options = ['--probe', 'direct', '--page', `${site.url}/article`, '--yes'];
      const { checks } = await run(settings, ...options);
      const asked = checks.filter(({ check }: DoctorCheck) => check === 'fetch direct');
      expect(asked).toMatchObject([{ state: 'ok', cost_usd: 0 }]);
    } finally {
      await site.stop();
    }
  });
});
