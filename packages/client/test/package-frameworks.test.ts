import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installed, installPackage } from './support/installed.ts';

let installed: Installed;
let server: TestServer;
let connection: Record<string, string>;
beforeAll(async () => {
  [installed, server] = await Promise.all([installPackage(), startTestServer()]);
  installed.link('ai', 'zod', '@langchain/core');
  connection = { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: server.key };
}, 120_000);
afterAll(async () => {
  installed.remove();
  await server.stop();
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

const USE = `
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

describe('the entries for frameworks, installed from the tarball', () => {
  test('ESM', async () => {
    installed.write('use.mjs', [...imports, USE].join('\n'));
    expect(await installed.node('use.mjs', connection)).toBe(PRINTS);
  }, 60_000);

  test('CommonJS', async () => {
    installed.write('use.cjs', [...requires, USE].join('\n'));
    expect(await installed.node('use.cjs', connection)).toBe(PRINTS);
  }, 60_000);

  test.each([
    ['nodenext', { module: 'nodenext' }],
    ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])(
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
