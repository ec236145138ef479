import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { databases } from '@trawl/test-support/databases';
import { fully } from '@trawl/test-support/form';
import { type Installed, installPackages } from '@trawl/test-support/installed';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const KEY = 'tk_package-0123456789abcdefghijklmnopqrstuv';
const LIMIT_MS = 120_000;

/**
 * The largest sizes in bytes, packed and unpacked. The command has the documentation, the console,
 * the viewer of the reference and the topic model.
 */
const SIZES = {
  trawl: [14_000_000, 28_000_000],
  '@trawl/client': [180_000, 650_000],
  '@trawl/evaluate': [260_000, 1_100_000],
} as const;

let installed: Installed;
beforeAll(async () => {
  const frameworks = ['ai', 'zod', '@langchain/core'];
  installed = await installPackages(['trawl', '@trawl/client', '@trawl/evaluate'], frameworks);
}, LIMIT_MS);
afterAll(() => installed?.remove());

type Child = ReturnType<Installed['start']>;

/** The address of a started server. */
async function listening(child: Child): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line);
    if (entry.msg !== 'listening') continue;
    child.stdout.resume();
    return entry.url;
  }
  throw new Error('the server ended before it listened');
}

async function stopped(child: Child): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** As a user types it. */
const npx = (args: readonly string[], env?: NodeJS.ProcessEnv) =>
  installed.run('npx', ['--no-install', ...args], env);
const BIN = './node_modules/.bin/trawl';
const trawl = (args: readonly string[], env?: NodeJS.ProcessEnv) => installed.run(BIN, args, env);
const start = (args: readonly string[], env?: NodeJS.ProcessEnv) => installed.start(BIN, args, env);

const version = (): unknown => installed.manifestOf('trawl').version;

describe.each(Object.entries(SIZES))('%s, packed', (name, [sizeMax, unpackedMax]) => {
  const packed = () => installed.packed.find((each) => each.name === name);
  const paths = () => packed()?.files.map(({ path }) => path);

  test('is public, licensed, described, and of the version of all others', () => {
    const manifest = installed.manifestOf(packed()?.name ?? 'trawl');
    for (const member of ['scripts', 'devDependencies', 'private', 'released'])
      expect(manifest).not.toHaveProperty(member);
    expect(manifest).toMatchObject({
      name,
      version: version(),
      license: 'Apache-2.0',
      description: expect.stringMatching(/\.$/),
      engines: { node: expect.stringMatching(/>=\d/) },
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:/) },
    });
    expect(paths()).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  });

  test('has each file that its manifest names', () => {
    const { bin, exports } = installed.manifestOf(packed()?.name ?? 'trawl');
    const named = [
      ...JSON.stringify({ bin, exports }).matchAll(/"(?:\.\/)?((?:bin|dist|lib)\/[^"]+)"/g),
    ];
    expect(named.length).toBeGreaterThan(0);
    const missing = named.filter(([, path = '']) => !paths()?.includes(path));
    expect(missing).toEqual([]);
  });

  test('is no larger than what it has', () => {
    const { size = 0, unpackedSize = 0 } = packed() ?? {};
    expect(size).toBeGreaterThan(sizeMax / 2);
    expect(size).toBeLessThan(sizeMax);
    expect(unpackedSize).toBeLessThan(unpackedMax);
  });
});

test('the client publishes the entries that its documentation names, and its manifest', () => {
  const { exports } = installed.manifestOf('@trawl/client');
  const entries = ['.', './ai-sdk', './langchain', './package.json', './settings', './text'];
  expect(Object.keys(exports ?? {}).toSorted()).toEqual(entries);
});

describe('the command, installed', { timeout: LIMIT_MS }, () => {
  test('npx finds it, and --version prints the version and nothing else', async () => {
    const { code, stdout } = await npx(['trawl', '--version']);
    expect([code, stdout]).toEqual([0, `${version()}\n`]);
    expect(await trawl(['--version'])).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('--help lists the commands', async () => {
    const { code, stdout } = await trawl(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}search [\s\S]*^ {2}serve /m)]);
    expect(stdout).toContain('$ trawl demo\n');
  });

  test('its first command, the demo, runs without a home that can be written to', async () => {
    const { code, stdout } = await trawl(['demo', '--once'], { PORT: '0', HOME: '/dev/null' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/exa +\d+ ms/);
    expect(stdout).toMatch(/ characters of markdown: https:\/\//);
  });

  fully(
    'npx runs its file in an empty folder, with the packages that the registry has today',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'trawl npx '));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'trawl.tgz');
      copyFileSync(installed.fileOf('trawl'), file);
      const words = `cd '${folder}' && npx --yes ./trawl.tgz demo --once`;
      const { code, stdout } = await installed.run('sh', ['-c', words], {
        ...process.env,
        PORT: '0',
      });
      expect([code, stdout]).toEqual([0, expect.stringMatching(/exa +\d+ ms/)]);
    },
  );

  test('without evaluate, it says how to get that', async () => {
    const folder = installed.folderOf('@trawl/evaluate');
    renameSync(folder, `${folder}-away`);
    onTestFinished(() => renameSync(`${folder}-away`, folder));
    const { code, stderr } = await trawl(['evaluate', 'queries.jsonl', '--providers', 'exa']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm run pack')]);
    const { stderr: json } = await trawl(['evaluate', 'learn', 'report.json', '--json']);
    expect(JSON.parse(json).error.code).toBe('not_installed');
  });

  test('mcp answers over standard input and output', async () => {
    const env = { SERVICE_API_KEY: KEY };
    const child = start(['mcp'], env);
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    expect(JSON.parse(line)).toMatchObject({
      id: 1,
      result: { serverInfo: { version: version() } },
    });
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('it holds what it runs and shows, and nothing of a clone or an earlier build', () => {
    const files = (installed.packed[0]?.files ?? [])
      .filter(({ path }) => path.startsWith('dist/'))
      .map(({ path }) => path.slice('dist/'.length));
    const texts = files
      .filter((path) => /^(?:chunks\/)?[\w-]+\.js$|^(?:docs|console)\/site\.json$/.test(path))
      .map((path) => readFileSync(join(installed.folderOf('trawl'), 'dist', path), 'utf8'));
    const named = new Set(texts.flatMap((text) => text.match(/[\w.-]+(?=")/g)));
    const isNamed = (path: string) => named.has(basename(path).replace(/\.(?:gz|br)$/, ''));
    const parts = files.filter((path) => /^(?:chunks|docs\/files|console\/files)\//.test(path));
    expect(parts.length).toBeGreaterThan(100);
    expect(installed.packed[0]?.files.map(({ path }) => path)).toContain('skills/trawl/SKILL.md');
    expect(parts.filter((path) => !isNamed(path))).toEqual([]);
    expect(files.filter((path) => /\.stamp$|^scripts\/|\.\d+-\d+$/.test(path))).toEqual([]);
  });
});

describe('its server, installed', { timeout: LIMIT_MS }, () => {
  let sandbox: Sandbox;
  let child: Child;
  let url: string;
  let connection: Record<string, string>;
  const serve = (env: NodeJS.ProcessEnv) =>
    start(['serve'], { PORT: '0', BOOTSTRAP_API_KEY: KEY, ...env });
  beforeAll(async () => {
    sandbox = await startSandbox();
    child = serve(sandbox.allSettings(() => 'sandbox'));
    url = await listening(child);
    connection = { SERVICE_BASE_URL: url, SERVICE_API_KEY: KEY };
  }, LIMIT_MS);
  afterAll(() => sandbox.stop());

  test.each(['/console', '/docs', '/docs/reference'])('has %s with its files', async (page) => {
    const answer = await fetch(url + page);
    const own = [
      ...(await answer.text()).matchAll(/<(?:script|link) [^>]*(?:src|href)="([^"]+)"/g),
    ];
    expect([answer.status, own.length > 0]).toEqual([200, true]);
    for (const [, path = ''] of own) {
      const file = await fetch(new URL(path, answer.url));
      expect([path, file.status]).toEqual([path, 200]);
    }
  });

  test('is searched by the command', async () => {
    const words = ['search', 'tidal power', '--include', 'exa'];
    const { code, stdout } = await trawl(words, connection);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^tidal power\texa\t1\thttps?:/)]);
  });

  test('is searched by the first example of the client', async () => {
    const page = readFileSync(join(installed.folderOf('@trawl/client'), 'README.md'), 'utf8');
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    expect(example).toContain('https://trawl.example.com');
    installed.write('first.mjs', example.replace('https://trawl.example.com', url));
    expect(await installed.node('first.mjs', connection)).toMatch(/^\w+ 1 .* https:\/\//);
  });

  test('is searched by its tools for the AI SDK and LangChain', async () => {
    installed.write(
      'tools.mjs',
      `import { webSearch } from '@trawl/client/ai-sdk';
      import { webSearchTool } from '@trawl/client/langchain';
      console.log((await webSearch().execute({ query: 'tidal power' })).status);
      console.log(await webSearchTool().invoke({ query: 'tidal power' }));`,
    );
    expect(await installed.node('tools.mjs', connection)).toMatch(/^succeeded\n[\s\S]*https:\/\//);
  });

  test('prices the first command of evaluate, by either name', async () => {
    const words = ['--set', 'starter', '--providers', 'exa,brave,tavily', '--dry-run'];
    const byTrawl = await trawl(['evaluate', ...words], connection);
    expect([byTrawl.code, byTrawl.stderr]).toEqual([0, expect.stringMatching(/\$\d+\.\d/)]);
    expect(await installed.run(`${BIN}-evaluate`, words, connection)).toEqual(byTrawl);
  });

  test('routes by topic, for which it needs the model', async () => {
    const { code, stdout } = await trawl(['routing', 'explain', 'flu symptoms', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('topic');
  });

  test('has its tools as soon as a file that they need exists', async () => {
    const chunks = join(installed.folderOf('trawl'), 'dist/chunks');
    const isOfTools = (name: string) =>
      /^src-\w+\.js$/.test(name) &&
      readFileSync(join(chunks, name), 'utf8').includes('createHttpTools');
    const [name = ''] = readdirSync(chunks).filter(isOfTools);
    const tools = join(chunks, name);
    const initialize = () =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(INITIALIZE),
      });
    renameSync(tools, `${tools}.away`);
    expect((await initialize()).status).toBe(500);
    renameSync(`${tools}.away`, tools);
    expect((await initialize()).status).toBe(200);
  });

  test('stops cleanly', () => stopped(child));

  // `cli/test/move` moves one in every run
  fully('its database moves to PostgreSQL', async ({ skip }) => {
    const postgres = databases.find(({ name }) => name === 'PostgreSQL');
    if (!postgres) return skip('needs PostgreSQL on 127.0.0.1:5432');
    const target = await postgres.create();
    onTestFinished(() => target.drop());
    const { databaseUrl: to = '' } = target.location;
    const { code, stdout } = await trawl(['db', 'move', '--to', to]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok +interactions +[1-9]/m)]);
    const moved = serve({ DATABASE_URL: to });
    const env = { ...connection, SERVICE_BASE_URL: await listening(moved) };
    expect((await trawl(['sessions'], env)).stdout).toContain('tidal power');
    await stopped(moved);
  });
});
