import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

const TOKEN = 'hush-9Qx2-token';
const ROWS = { data: { items: [{ link: 'https://a.example/', name: 'A', day: 'soon' }] } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-providers-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const declared = (url = 'https://search.acme.example/api', more = '') =>
  written(
    'providers.yaml',
    `
providers:
  - slug: acme
    url: ${url}
    headers: { authorization: "Bearer \${ACME_TOKEN}" }
    query: { q: "{query}", key: "\${ACME_TOKEN}" }
    results: data.items
    fields: { url: link, title: name, summary: about, publish_date: day }
    price_usd: 0.004
${more}`,
  );

async function check(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const ended = await runCommand({
    args: ['providers', 'check', ...args],
    settings: { ACME_TOKEN: TOKEN, ...settings },
    folder,
  });
  expect(ended.stdout + ended.stderr).not.toContain(TOKEN);
  return ended;
}

describe('trawl providers check', () => {
  test('shows the request with the names of secrets, and sends nothing', async () => {
    const vendor = await serveHttp((response) => sendJson(response, ROWS));
    const { code, stdout } = await check([declared(`${vendor.url}/api`), '--query', 'tide tables']);
    expect([code, vendor.received]).toEqual([0, []]);
    expect(stdout).toContain('acme (acme), $0.0040 a call');
    expect(stdout).toContain(`GET ${vendor.url}/api?q=tide+tables&key=\${ACME_TOKEN}`);
    expect(stdout).toContain(`authorization: Bearer \${ACME_TOKEN}`);
    expect(stdout).toContain(`\${ACME_TOKEN} is sent to ${new URL(vendor.url).host}\n`);
  });

  test('reads a recorded answer, and says what it lacks', async () => {
    const answer = written('answer.json', JSON.stringify(ROWS));
    const { code, stdout } = await check([declared(), '--answer', answer]);
    expect(code).toBe(0);
    expect(stdout).toContain('1 row\n  1. https://a.example/\n     title: A');
    expect(stdout).toContain('summary: acme has nothing at about in any of its 1 rows');
    expect(stdout).toContain('publish_date: acme sent a value at day that is not a date');
    expect(stdout).toContain('thumbnail: acme is declared without a path for it');
    const { stdout: json } = await check([declared(), '--answer', answer, '--json']);
    const [{ run, request }] = JSON.parse(json).providers;
    expect(run.output_payload.results).toMatchObject([{ url: 'https://a.example/', title: 'A' }]);
    expect(request.method).toBe('GET');
  });

  test.each([
    ['without the list', '{"items": []}', 'acme sent no answer with a list at data.items'],
    ['of HTML', '<!doctype html><p>no', 'is HTML or XML; a declared provider answers with JSON'],
    ['that is broken', '{"data": ', 'is not JSON'],
  ])('exits with 1 for an answer %s', async (_title, text, message) => {
    const { code, stdout, stderr } = await check([declared(), '--answer', written('a.json', text)]);
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test('exits with 1 for a wrong file, and names each place', async () => {
    const file = written(
      'wrong.yaml',
      'providers: [{ slug: exa, results: a..b, price_usd: free }]',
    );
    const { code, stderr } = await check([file]);
    expect(code).toBe(1);
    for (const place of ['[0].url is missing', '[0].results must be a path', '[0].price_usd']) {
      expect(stderr).toContain(place);
    }
    const unset = await check([declared()], { ACME_TOKEN: '' });
    expect([unset.code, unset.stderr]).toEqual([
      1,
      expect.stringContaining(
        'headers.authorization needs the variable ACME_TOKEN, which is not set',
      ),
    ]);
  });

  test('asks once with --probe, after the price', async () => {
    const vendor = await serveHttp((response) => sendJson(response, ROWS));
    const file = declared(`${vendor.url}/api`);
    const unsure = await check([file, '--probe']);
    expect([unsure.code, vendor.received.length]).toEqual([1, 0]);
    expect(unsure.stderr).toContain('nothing was sent: --yes makes the calls without a question');
    const { code, stdout, stderr } = await check([file, '--probe', '--yes']);
    expect([code, vendor.received.length]).toEqual([0, 1]);
    expect(vendor.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(stderr).toContain('acme $0.0040');
    expect(stdout).toContain('1. https://a.example/');
  });

  test('wants a name where an answer could be of several providers', async () => {
    const more = `  - slug: other
    url: https://other.example/
    query: { q: "{query}" }
    results: .
    fields: { url: u }
`;
    const answer = written('answer.json', '[{"u": "https://b.example/"}]');
    const file = declared(undefined, more);
    const several = await check([file, '--answer', answer]);
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringContaining('name it with --only, one of acme, other'),
    ]);
    const { code, stdout } = await check([file, '--answer', answer, '--only', 'other']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1. https://b.example/')]);
  });
});

test('trawl providers still takes the flags of its list', async () => {
  const { code, stderr } = await runCommand({
    args: ['providers', '--json'],
    settings: { SERVICE_BASE_URL: 'http://127.0.0.1:9' },
    folder,
  });
  expect([code, stderr]).toEqual([5, expect.stringContaining('127.0.0.1:9')]);
});
