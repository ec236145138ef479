import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const folder = () => server.database.location.dataDir ?? '';
const trawl = (...args: string[]) =>
  runCommand({
    args,
    settings: { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: server.key },
    folder: folder(),
  });

const QUESTION = 'how do rope walks work';

test('context prints the text for a model, and says the rest on standard error', async () => {
  const { code, stdout, stderr } = await trawl('context', QUESTION, '--max-tokens', '1500');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Pages from the web[\s\S]*<source number="1" url="https:/);
  expect(stderr).toMatch(/sources, about \d+ tokens\n/);
  expect(stderr).toMatch(/session [0-9a-f-]{36}\n$/);
});

test('context shows the price first with --dry-run', async () => {
  server.sandbox.clearCalls();
  const { code, stdout } = await trawl('context', QUESTION, '--dry-run', '--json');
  expect([code, JSON.parse(stdout).dry_run]).toEqual([0, true]);
  expect(server.sandbox.calls).toEqual([]);
});

test('a wrong size is a fault of the command', async () => {
  const { code, stderr } = await trawl('context', QUESTION, '--max-tokens', '0');
  expect(code).toBe(2);
  expect(stderr).toContain('--max-tokens');
});

test('verify checks quotes by the number of their source', async () => {
  const { stdout } = await trawl('context', QUESTION, '--json');
  const { context, session_id } = JSON.parse(stdout);
  const [one, two] = context.sources;
  const said = /\b(?:[a-z]+ ){8}[a-z]+\b/.exec(one.passages[0].text)?.[0] ?? '';
  await writeFile(join(folder(), 'context.json'), stdout);
  await writeFile(
    join(folder(), 'report.md'),
    `They say "${said}" [1].\n\nAnd "no one ever wrote this about ropes" [2].\n`,
  );
  const args = ['verify', session_id, 'report.md', '--context', 'context.json', '--json'];
  const { quotes } = JSON.parse((await trawl(...args)).stdout);
  expect(quotes.map(({ status, url }: { status: string; url: string }) => [status, url])).toEqual([
    ['exact', one.url],
    ['not_found', two.url],
  ]);
  const wrong = await trawl('verify', session_id, 'report.md', '--context', 'report.md');
  expect(wrong.stderr).toContain('trawl context --json');
});
