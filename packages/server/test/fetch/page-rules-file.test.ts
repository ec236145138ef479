import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, type Environment, readConfig } from '../../src/config/config.ts';

const COLUMNS = 'family\tpart\tlanguage\ttext';

describe('PAGE_RULES_FILE', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-page-rules-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function file(...lines: readonly string[]): Promise<string> {
    const path = join(folder, 'rules.tsv');
    await writeFile(path, lines.join('\n'));
    return path;
  }

  /** The problem of a file; undefined = none. */
  function problemsOf(path: string): readonly string[] | undefined {
    try {
      readConfig({ PAGE_RULES_FILE: path });
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }

  /** The rows of two readings of one page: by the service's own reader, and by a vendor. */
  async function rowsOf(html: string, text: string, env: Environment) {
    const site = await serveHttp((response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
    );
    const jina = await serveHttp((response) => {
      const data = { title: 'Vefur', url: 'http://127.0.0.1/', content: text };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 200, status: 20000, data }));
    });
    const server = await startTestServer({
      env: { ...env, JINA_BASE_URL: jina.url, FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
    });
    onTestFinished(() => server.stop());
    const rows = ['direct', 'jina'].map(async (provider) => {
      const url = provider === 'direct' ? `${site.url}/a` : 'https://news.example.com/a';
      const { json } = await server.fetch({ urls: [url], options: { providers: [provider] } });
      return json.preprocessor_runs[0].output_payload.fetched_results[0];
    });
    return Promise.all(rows);
  }

  const WALL = 'Hliðvörðurinn okkar þarf að skoða beiðnina þína.';
  const PAGE = `<html><head><title>Vefur</title></head><body><p>${WALL}</p></body></html>`;

  test('marks a page as a wall that would otherwise pass, for any provider', async () => {
    const passed = await rowsOf(PAGE, WALL, {});
    expect(passed).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
    const PAGE_RULES_FILE = await file(
      '# Icelandic',
      COLUMNS,
      'bot_check,firewall\tphrase\tis\tHLIÐVÖRÐURINN  okkar þarf að',
    );
    const refused = await rowsOf(PAGE, WALL, { PAGE_RULES_FILE });
    const error = { code: 'blocked', message: expect.stringContaining('bot_check') };
    expect(refused).toMatchObject([
      { status: 'failed', error },
      { status: 'failed', error },
    ]);
  });

  test('does not mark a long page with such words', async () => {
    const long = `${WALL}\n\n${'The mill on the river grinds rye for the bakers of the town. '.repeat(60)}`;
    const PAGE_RULES_FILE = await file(COLUMNS, 'bot_check\tphrase\tis\thliðvörðurinn okkar þarf');
    const rows = await rowsOf(`<p>${long}</p>`, long, { PAGE_RULES_FILE });
    expect(rows).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  test.each([
    [
      'an expression is plain text, and a hint proves nothing',
      ['bot_check\tphrase\tis\t(h|.)+vörðurinn', 'bot_check\thint\tis\thliðvörðurinn'],
    ],
    ['a text about walls is a page', ['bot_check\tabout\tis\thliðvörðurinn']],
  ])('%s', async (_why, rows) => {
    const PAGE_RULES_FILE = await file(COLUMNS, ...rows);
    const read = await rowsOf(PAGE, WALL, { PAGE_RULES_FILE });
    expect(read).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  test.each([
    [
      ['family'],
      'has a wrong line 1; write the columns, with tabs between them: family, part, language, text',
    ],
    [
      [COLUMNS, 'bot_check, bots\tphrase\ten\tgo away'],
      'has a wrong line 2: family must be one of bot_check, bot_check_abroad, firewall,',
    ],
    [
      [COLUMNS, '# ours', 'bot_check\tphrases\ten\tgo away'],
      'has a wrong line 3: part must be one of title, weak_title, phrase,',
    ],
    [
      [COLUMNS, 'bot_check\tphrase\tEnglish\tgo away'],
      'has a wrong line 2: language must be a language code such as de, or any',
    ],
    [
      [COLUMNS, 'bot_check\tphrase\ten\tgo'],
      'has a wrong line 2: text has 2 characters; write 4 to 200',
    ],
    [
      [COLUMNS, `bot_check\thint\ten\t${'x'.repeat(201)}`],
      'has a wrong line 2: text has 201 characters; write 1 to 200',
    ],
    [
      [COLUMNS, ...Array.from({ length: 1_001 }, () => 'bot_check\thint\ten\tx')],
      'has more than 1000 rows; shorten it',
    ],
  ])('%j stops the start with one line that names file, place and fix', async (lines, problem) => {
    const path = await file(...lines);
    const problems = problemsOf(path);
    expect(problems).toHaveLength(1);
    expect(problems?.[0]).toContain(
      `PAGE_RULES_FILE must name a table of page rules: ${path} ${problem}`,
    );
  });
});
