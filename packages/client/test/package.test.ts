import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { type Installed, installPackages } from '@trawl/test-support/installed';
import * as esbuild from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/source-files.mjs';

/** Largest size of the client in a bundle, in bytes, minified and compressed. */
const SIZE_MAX = 10 * 1024;

let installed: Installed;
let server: TestServer;
let connection: Record<string, string>;
beforeAll(async () => {
  [installed, server] = await Promise.all([
    installPackages(['@trawl/client'], ['ai', 'zod', '@langchain/core']),
    startTestServer(),
  ]);
  connection = { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: server.key };
}, 120_000);
afterAll(async () => {
  installed.remove();
  await server.stop();
});

const USE = `
  const client = Trawl.fromSettings();
  client.search({ user_input: { query: 'tidal power' } })
    .then(({ preprocessor_runs: [run] }) => console.log(run.output_payload.tier), (error) => console.log(error));
  new Trawl(connectionSettings()).search({ query: 'tidal power', search: searchOptions(loadSettings().settings) })
    .then((answer) => console.log(answer.status, rowsOf(answer).length > 0), (error) => console.log(error));
  client.usage({ from: 'never' }).catch((error) => console.log(error instanceof TrawlError, error.status));`;
const NAMES = '{ rowsOf, Trawl, TrawlError }';
const SETTINGS = '{ connectionSettings, loadSettings, searchOptions }';

/** How TypeScript finds the types of a package. */
const RESOLUTIONS = [
  ['nodenext', { module: 'nodenext' }],
  ['node16', { module: 'node16', moduleResolution: 'node16' }],
  ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
] as const;

describe('installed from its tarball into an empty project', () => {
  const works = async (file: string) => {
    const output = await installed.node(file, { ...connection, SERVICE_TIER: 'minimalist' });
    expect(output.trim().split('\n').sort()).toEqual(['minimalist', 'succeeded true', 'true 422']);
  };

  test.each(RESOLUTIONS)(
    'TypeScript, resolved as by %s, with its own types checked',
    async (_name, options) => {
      const right = `import { Trawl, type FetchRow } from '@trawl/client';
      import { searchOptions } from '@trawl/client/settings';
      const client = new Trawl({ apiKey: 'k' });
      export const titles = async (): Promise<(string | null | undefined)[]> => {
        const { preprocessor_runs: runs } = await client.search({ user_input: { query: 'x' }, search: searchOptions({}) });
        return runs.flatMap((run) => run.output_payload?.results.map(({ title }) => title) ?? []);
      };
      export const text = (page: FetchRow): string | null | undefined => page.content;`;
      installed.write('right.ts', right);
      installed.write('right.cts', right);
      const settings = { ...options, target: 'es2022', lib: ['es2022', 'dom'] };
      expect(await installed.typeCheck(settings, ['right.ts', 'right.cts'])).toBe('');
      installed.write(
        'wrong.ts',
        `import { Trawl } from '@trawl/client';
      new Trawl().search({ user_input: { query: 1 }, search: { tier: 'huge' } });`,
      );
      const complaints = await installed.typeCheck(settings, ['wrong.ts']);
      expect(complaints.match(/error TS\d+/g)?.length).toBeGreaterThan(0);
    },
  );

  test('it has no dependencies, and types of its own alone', () => {
    expect(installed.manifestOf('@trawl/client')).not.toHaveProperty('dependencies');
    const types = join(installed.folderOf('@trawl/client'), 'lib/contract/types.d.ts');
    expect(readFileSync(types, 'utf8')).not.toMatch(/zod|@trawl\/contract/);
  });

  test.each([
    [
      'module',
      `import ${NAMES} from '@trawl/client'; import ${SETTINGS} from '@trawl/client/settings';`,
    ],
    [
      'commonjs',
      `const ${NAMES} = require('@trawl/client'); const ${SETTINGS} = require('@trawl/client/settings');`,
    ],
  ])('in a folder of "type": "%s"', async (type, imports) => {
    mkdirSync(join(installed.project, type));
    installed.write(`${type}/package.json`, JSON.stringify({ type }));
    installed.write(`${type}/use.js`, imports + USE);
    await works(`${type}/use.js`);
  });
});

const ENTRIES = {
  '@trawl/client': '{ Trawl }',
  '@trawl/client/settings': '{ connectionSettings }',
  '@trawl/client/text': '{ searchAsText }',
  '@trawl/client/ai-sdk': '{ webSearch, webFetch }',
  '@trawl/client/langchain': '{ TrawlLoader, TrawlRetriever, webFetchTool, webSearchTool }',
};
const imports = Object.entries(ENTRIES).map(([entry, names]) => `import ${names} from '${entry}';`);
const requires = Object.entries(ENTRIES).map(
  ([entry, names]) => `const ${names} = require('${entry}');`,
);

const USE_ENTRIES = `
  const urls = ['https://news.example.com/a-page'];
  const use = async () => {
    const client = new Trawl(connectionSettings());
    const search = webSearch();
    const found = await search.execute({ query: 'tidal power' });
    console.log(search.toModelOutput(found).value === searchAsText(found));
    const read = await webFetch({ client }).execute({ urls });
    console.log(read.status);
    const documents = await new TrawlRetriever({ client }).invoke('tidal power');
    console.log(documents.length > 0);
    console.log((await new TrawlLoader({ client, urls }).load())[0].metadata.source);
    console.log((await webSearchTool().invoke({ query: 'tidal power' })).length > 100);
    console.log((await webFetchTool({ client }).invoke({ urls })).length > 100);
  };
  use();`;
const PRINTS = 'true\nsucceeded\ntrue\nhttps://news.example.com/a-page\ntrue\ntrue\n';

describe('the entries for frameworks', () => {
  test('ESM', async () => {
    installed.write('use.mjs', [...imports, USE_ENTRIES].join('\n'));
    expect(await installed.node('use.mjs', connection)).toBe(PRINTS);
  }, 60_000);

  test('CommonJS', async () => {
    installed.write('use.cjs', [...requires, USE_ENTRIES].join('\n'));
    expect(await installed.node('use.cjs', connection)).toBe(PRINTS);
  }, 60_000);

  test.each(RESOLUTIONS)(
    'TypeScript, resolved as by %s',
    async (_name, options) => {
      const settings = {
        ...options,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        exactOptionalPropertyTypes: true,
        // the types of the frameworks are not checked
        skipLibCheck: true,
      };
      const head = `import { generateText, type LanguageModel } from 'ai';
      import { type FetchAnswer, type SearchAnswer, Trawl } from '@trawl/client';
      import { webFetch, webSearch } from '@trawl/client/ai-sdk';
      import { type RowMetadata, TrawlLoader, TrawlRetriever, webSearchTool } from '@trawl/client/langchain';
      const client = new Trawl({ apiKey: 'k' });`;
      const right = `${head}
      const tools = { search: webSearch({ client, search: { tier: 'max' } }), read: webFetch({ client }) };
      export const ask = async (model: LanguageModel): Promise<(SearchAnswer | FetchAnswer)[]> => {
        const { staticToolResults } = await generateText({ model, tools, prompt: 'go' });
        return staticToolResults.map(({ output }) => output);
      };
      export const rows = async (): Promise<RowMetadata[]> =>
        (await new TrawlRetriever({ client }).invoke('x')).map(({ metadata }) => metadata);
      export const cut = async (): Promise<boolean[]> =>
        (await new TrawlLoader({ client, urls: [] }).load()).map(({ metadata }) => metadata.truncated);
      export const tool = (): 'web_search' => webSearchTool({ client }).name;`;
      installed.write('right.ts', right);
      installed.write('right.cts', right);
      expect(await installed.typeCheck(settings, ['right.ts', 'right.cts'])).toBe('');
      const wrong = [
        `webSearch({ client, search: { tier: 'huge' } });`,
        `webFetch({ client }).execute({ url: 'x' });`,
        `new TrawlRetriever({ search: { tier: 1 } });`,
        `new TrawlLoader({ client });`,
      ];
      installed.write('wrong.ts', [head, ...wrong].join('\n'));
      const complaints = await installed.typeCheck(settings, ['wrong.ts']);
      expect(complaints.match(/error TS\d+/g)).toHaveLength(wrong.length);
    },
    60_000,
  );

  test('the tools of the AI SDK need no Node module', async () => {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: `export * from '@trawl/client/ai-sdk'`, resolveDir: installed.project },
      bundle: true,
      write: false,
      platform: 'neutral',
    });
    expect(outputFiles).toHaveLength(1);
  });
});

describe('package checkers', () => {
  test('publint finds nothing', async () => {
    const { messages } = await publint({
      pkgDir: installed.folderOf('@trawl/client'),
      strict: true,
      pack: false,
    });
    expect(messages).toEqual([]);
  });

  test('its types are right for ESM, CommonJS and bundlers', async () => {
    const data = new Uint8Array(readFileSync(installed.fileOf('@trawl/client')));
    const result = await checkPackage(createPackageFromTarballData(data));
    if (!result.types) throw new Error('types are missing');
    // the old resolution does not support a second entry
    const problems = result.problems.filter(
      (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    );
    expect(problems).toEqual([]);
  });
});

describe('in a bundle', () => {
  const bundle = async () => {
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: `export * from '@trawl/client'`,
        resolveDir: installed.project,
      },
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      globalName: 'trawl',
      // a Node module would fail here
      platform: 'neutral',
    });
    return outputFiles[0]?.text ?? '';
  };

  test('it is small', async () => {
    const size = gzipSync(await bundle(), { level: 9 }).length;
    expect(size).toBeGreaterThan(1000);
    expect(size, `the client is ${size} bytes`).toBeLessThan(SIZE_MAX);
  });

  test('it runs with web standards only', async () => {
    const web = {
      fetch,
      Headers,
      URL,
      URLSearchParams,
      AbortController,
      TextDecoder,
      crypto,
      performance,
      setTimeout,
      clearTimeout,
      options: { baseUrl: server.url, apiKey: server.key },
    };
    const code = `${await bundle()};
      const client = new trawl.Trawl(options);
      client.search({ user_input: { query: 'tidal power' } }).then(trawl.rowsOf)`;
    const rows = await runInNewContext(code, web);
    expect(rows.length).toBeGreaterThan(0);
    const settings = `${await bundle()}; trawl.Trawl.fromSettings(options)`;
    expect(() => runInNewContext(settings, web)).toThrow('settings are read on Node only');
  });
});

describe('every example of docs/sdk.md', () => {
  const page = readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8');
  const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const named = examples.map((code, index) => [`example-${index + 1}.ts`, code] as const);

  test('has right types', async () => {
    for (const [name, code] of named) installed.write(name, `${code}\nexport {};\n`);
    const settings = { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'] };
    const files = named.map(([name]) => name);
    expect(files.length).toBeGreaterThan(5);
    expect(await installed.typeCheck(settings, files)).toBe('');
  });

  const PRINTS = [
    /^exa 1 .* https:\/\/[\s\S]*capability_gap: /,
    /^1 .* https:\/\/[\s\S]*found by exa #\d+, brave #\d+\n/,
    /<source number="1" url="https:\/\/news\.example\.com\/a-page"[\s\S]*could not be read: not_found/,
    /^https:\/\/news\.example\.com\/missing not_found [0-9a-f-]{36}\n$/,
    /^\w+ succeeded\n\w+ succeeded\n[0-9a-f-]{36}\n[0-9a-f-]{36} \d+\n$/,
    /^urls\[0\] 422: /,
    /^\{"id":"chat-7","from":0,.*\n\{"id":"chat-7","from":1,"turns":\[\{"index":1,.*\]\}\n$/,
    /^succeeded undefined undefined\n$/,
  ];

  test.each(named.map(([name, code], index) => [name, code, PRINTS[index]] as const))(
    '%s prints what it should',
    async (name, code, expected) => {
      const module = name.replace('.ts', '.mjs');
      installed.write(module, (await esbuild.transform(code, { loader: 'ts' })).code);
      const environment = { ...connection, XDG_CONFIG_HOME: installed.project };
      expect(await installed.node(module, environment)).toMatch(expected ?? 'an expectation');
    },
  );
});
