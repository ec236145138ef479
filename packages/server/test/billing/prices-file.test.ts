import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRICES } from '@trawl/providers';
import { startTestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';

describe('PRICES_FILE', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-prices-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function file(content: unknown): Promise<string> {
    const path = join(folder, 'prices.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** The problem of a file; undefined = none. */
  function problemsOf(path: string): readonly string[] | undefined {
    try {
      readConfig({ PRICES_FILE: path });
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }

  it('replaces only the rates that it names', async () => {
    const providers = { exa: { search: 0.0055 }, firecrawl: { fetch_usd_per_credit: 0.0083 } };
    const { prices } = readConfig({ PRICES_FILE: await file({ version: '2027-01', providers }) });
    expect(prices).toEqual({
      version: '2027-01',
      providers: {
        ...PRICES.providers,
        exa: { ...PRICES.providers.exa, search: 0.0055 },
        firecrawl: { ...PRICES.providers.firecrawl, fetch_usd_per_credit: 0.0083 },
      },
    });
    expect(readConfig({}).prices).toBe(PRICES);
  });

  it('decides the prices and bills of calls', async () => {
    const PRICES_FILE = await file({ providers: { brave: { search: 0.25 } } });
    const server = await startTestServer({ env: { PRICES_FILE } });
    const search = { user_input: { query: 'q' }, search: { providers: { include: ['brave'] } } };
    const dry = await server.call('POST', '/v1/search?dry_run=true', { body: search });
    expect(dry.json.total_usd).toBe(0.25);
    await server.search(search);
    const { json } = await server.call('GET', '/v1/usage?group_by=provider');
    expect(json.rows).toMatchObject([{ provider: 'brave', cost_usd: 0.25 }]);
    await server.stop();
  });

  it.each([
    ['{"providers": {"exa": {"search": 0.0', 'is not JSON'],
    ['[]', 'must be a JSON object'],
    [{ exa: { search: 1 } }, 'unknown key exa'],
    [{ version: 3, providers: {} }, 'version'],
    [{ version: '1' }, 'needs an object providers'],
    [{ providers: { exo: { search: 1 } } }, 'unknown provider providers.exo'],
    ['{"providers": {"__proto__": {"search": 1}}}', 'unknown provider providers.__proto__'],
    [{ providers: { exa: 0.007 } }, 'needs an object at providers.exa'],
    [{ providers: { exa: { serch: 1 } } }, 'unknown item providers.exa.serch'],
    [{ providers: { exa: { search: -0.007 } } }, 'wrong rate at providers.exa.search'],
    [{ providers: { exa: { search: '0.007' } } }, 'wrong rate at providers.exa.search'],
    [{ providers: { exa: { search: null } } }, 'wrong rate at providers.exa.search'],
    ['{"providers": {"exa": {"search": 1e999}}}', 'wrong rate at providers.exa.search'],
  ])(
    'that holds %j stops the start with a line that names file and place',
    async (content, named) => {
      const path = await file(content);
      const problems = problemsOf(path);
      expect(problems).toHaveLength(1);
      expect(problems?.[0]).toMatch(/^PRICES_FILE must name a price list: [^\n]+$/);
      expect(problems?.[0]).toContain(path);
      expect(problems?.[0]).toContain(named);
    },
  );

  it('that does not exist stops the start', () => {
    const path = join(folder, 'nowhere.json');
    expect(problemsOf(path)).toEqual([
      `PRICES_FILE must name a price list: ${path} cannot be read (ENOENT); check the path and its permissions`,
    ]);
    expect(problemsOf(folder)).toHaveLength(1);
  });

  it('never shows the content of a file that was named by mistake', async () => {
    const problems = problemsOf(await file('{"providers": {"exa": {"search": "s3cr3t value"}}}'));
    expect(problems?.join()).not.toContain('s3cr3t');
  });
});
