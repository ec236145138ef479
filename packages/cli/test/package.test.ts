import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow } from '../../../scripts/source-files.mjs';
import { type Installed, installCommand } from './support/installed.ts';

const KEY = 'tk_package-0123456789abcdefghijklmnopqrstuv';
const LIMIT_MS = 120_000;

let installed: Installed;
beforeAll(async () => {
  installed = await installCommand();
}, LIMIT_MS);
afterAll(() => installed?.remove());

type Child = ReturnType<Installed['start']>;

async function ended(child: Child) {
  child.stdin.end();
  const texts = [child.stdout, child.stderr].map(async (stream) =>
    Buffer.concat(await stream.toArray()).toString(),
  );
  const [code] = await once(child, 'close');
  const [stdout = '', stderr = ''] = await Promise.all(texts);
  return { code, stdout, stderr };
}

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

const trawl = (args: readonly string[], env?: NodeJS.ProcessEnv) =>
  ended(installed.start(installed.command, args, env));

describe('installed from its tarball into an empty project', { timeout: LIMIT_MS }, () => {
  test('npx finds it, and --version prints the version and nothing else', async () => {
    const args = ['--no-install', 'trawl', '--version'];
    const { code, stdout } = await ended(installed.start('npx', args));
    expect([code, stdout]).toEqual([0, `${installed.manifest.version}\n`]);
    const direct = await trawl(['--version']);
    expect(direct).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('--help lists the commands', async () => {
    const { code, stdout } = await trawl(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}search [\s\S]*^ {2}serve /m)]);
    expect(stdout).toContain('$ trawl demo\n');
  });

  test('the demo searches, reads pages with its own reader, and exits with 0', async () => {
    const { code, stdout } = await trawl(['demo', '--once'], { PORT: '0' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/exa: succeeded/);
    expect(stdout).toMatch(/the real thing .* trawl serve: searches/);
    expect(stdout).toMatch(/\/pdf +│ direct +│ \d+ +│/);
  });

  test('evaluate is not part of it, and says how to get it', async () => {
    const { code, stderr } = await trawl(['evaluate', 'queries.jsonl', '--providers', 'exa']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('npm install @trawl/evaluate')]);
    const { stderr: json } = await trawl(['evaluate', 'learn', 'report.json', '--json']);
    expect(JSON.parse(json).error.code).toBe('not_installed');
  });

  test('mcp answers over standard input and output', async () => {
    const child = installed.start(installed.command, ['mcp'], { SERVICE_API_KEY: KEY });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { version } = installed.manifest;
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { serverInfo: { version } } });
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('it holds what it runs and shows, and nothing of a clone or an earlier build', () => {
    const dist = join(installed.project, 'node_modules/trawl/dist');
    const files = [...filesBelow(dist)].map((path) => relative(dist, path));
    const texts = files
      .filter((path) => /^(?:chunks\/)?[\w-]+\.js$|^(?:docs|console)\/site\.json$/.test(path))
      .map((path) => readFileSync(join(dist, path), 'utf8'));
    const isNamed = (path: string) => {
      const name = basename(path).replace(/\.(?:map|gz|br)$/, '');
      return texts.some((text) => text.includes(`/${name}"`) || text.includes(`"${name}"`));
    };
    const parts = files.filter((path) => /^(?:chunks|docs\/files|console\/files)\//.test(path));
    expect(existsSync(join(dist, '../skills/trawl/SKILL.md'))).toBe(true);
    expect(parts.length).toBeGreaterThan(100);
    expect(parts.filter((path) => !isNamed(path))).toEqual([]);
    expect(files.filter((path) => /\.stamp$|^scripts\/|\.\d+-\d+$/.test(path))).toEqual([]);
  });

  test('it has no scripts or development dependencies, and is public, but not released', () => {
    for (const name of ['scripts', 'devDependencies', 'private', 'released'])
      expect(installed.manifest).not.toHaveProperty(name);
    expect(installed.manifest).toMatchObject({
      name: 'trawl',
      engines: { node: expect.stringMatching(/>=\d/) },
    });
  });
});

describe('its server', { timeout: LIMIT_MS }, () => {
  let sandbox: Sandbox;
  let child: Child;
  let url: string;
  beforeAll(async () => {
    sandbox = await startSandbox();
    child = installed.start(installed.command, ['serve'], {
      PORT: '0',
      BOOTSTRAP_API_KEY: KEY,
      EXA_API_KEY: 'sandbox',
      EXA_BASE_URL: sandbox.baseUrl('exa'),
    });
    url = await listening(child);
  }, LIMIT_MS);
  afterAll(async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    await sandbox.stop();
  }, LIMIT_MS);

  test('is healthy, and has the files of its reference page', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const page of ['/docs', '/docs/reference']) {
      const answer = await fetch(url + page);
      const own = [
        ...(await answer.text()).matchAll(/<(?:script|link) [^>]*(?:src|href)="([^"]+)"/g),
      ];
      expect([page, answer.status, own.length > 0]).toEqual([page, 200, true]);
      for (const [, path = ''] of own) {
        const file = await fetch(new URL(path, answer.url));
        expect([path, file.status]).toEqual([path, 200]);
      }
    }
  });

  test('has its tools as soon as a file that they need exists, and stops cleanly', async () => {
    const chunks = join(installed.project, 'node_modules/trawl/dist/chunks');
    const isOfTools = (name: string) =>
      /^src-\w+\.js$/.test(name) &&
      readFileSync(join(chunks, name), 'utf8').includes('createHttpTools');
    const [name = ''] = readdirSync(chunks).filter(isOfTools);
    const tools = join(chunks, name);
    const own = installed.start(installed.command, ['serve'], {
      PORT: '0',
      BOOTSTRAP_API_KEY: KEY,
      DATA_DIR: join(installed.project, 'data-of-tools'),
    });
    const ownUrl = await listening(own);
    const initialize = () =>
      fetch(`${ownUrl}/mcp`, {
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
    own.kill('SIGTERM');
    expect(await once(own, 'close')).toEqual([0, null]);
  });

  test('is searched by the command', async () => {
    const env = { SERVICE_BASE_URL: url, SERVICE_API_KEY: KEY };
    const { code, stdout } = await trawl(['search', 'tidal power', '--include', 'exa'], env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^tidal power\texa\t1\thttps?:/)]);
  });

  test('routes by topic, for which it needs the model', async () => {
    const { code, stdout } = await trawl(['routing', 'explain', 'flu symptoms', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('topic');
  });
});
