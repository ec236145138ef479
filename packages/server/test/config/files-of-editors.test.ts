import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig, readEnvironment } from '../../src/config/config.ts';

/** How editors of Windows write a file. */
const FORMS = [
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
] as const;

const PRICES = { version: '2027-01', providers: { exa: { search: 0.001 } } };
const WORDS = 'language\tmatch\ttopic\tweight\tterms\r\nde\twords\tfinance_markets\t3\tkriff\r\n';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-editors-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(content: Buffer): Promise<string> {
  const path = join(folder, `file-${Math.random().toString(36).slice(2)}`);
  await writeFile(path, content);
  return path;
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe.each(FORMS)('a file in %s', (_form, written) => {
  it('is a .env, with its first setting', async () => {
    const file = await fileWith(written('EXA_API_KEY=the-key\r\nDEFAULT_SEARCH_PROVIDERS=exa\r\n'));
    const environment = readEnvironment(file);
    expect(environment).toMatchObject({ EXA_API_KEY: 'the-key', DEFAULT_SEARCH_PROVIDERS: 'exa' });
    expect(readConfig(environment).providers.exa?.credentials).toEqual(['the-key']);
  });

  it('is a secret, a JSON file or a table of the operator', async () => {
    const config = readConfig({
      EXA_API_KEY_FILE: await fileWith(written('the-key\r\n')),
      PRICES_FILE: await fileWith(written(JSON.stringify(PRICES, null, 2))),
      TOPIC_WORDS_FILE: await fileWith(written(WORDS)),
    });
    expect(config.providers.exa?.credentials).toEqual(['the-key']);
    expect(config.prices.providers.exa?.search).toBe(0.001);
  });
});

describe.each([
  ['with a mark', '\ufeff'],
  ['without one', ''],
])('a file in UTF-16 %s', (_form, mark) => {
  const bytes = Buffer.from(`${mark}EXA_API_KEY=the-key\n`, 'utf16le');

  it('is refused as a .env by name, with the remedy', async () => {
    const file = await fileWith(bytes);
    expect(problemsOf(() => readEnvironment(file))).toEqual([
      expect.stringMatching(/^\/.*file-\w+ is .*UTF-(?:8|16) text.*; save it as UTF-8$/),
    ]);
  });

  it('is refused by the setting that names it, with the remedy', async () => {
    const file = await fileWith(bytes);
    for (const name of ['EXA_API_KEY_FILE', 'PRICES_FILE', 'ROUTING_FILE', 'TOPIC_WORDS_FILE']) {
      expect(problemsOf(() => readConfig({ [name]: file }))).toEqual([
        expect.stringMatching(new RegExp(`^${name}.* is .*UTF-(?:8|16) text.*; save it as UTF-8$`)),
      ]);
    }
  });
});
