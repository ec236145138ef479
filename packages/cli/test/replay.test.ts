import { openDatabase } from '@trawl/database';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import type { Settings } from '@trawl/test-support/program';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(() => server.sandbox.clearCalls());

function trawl(args: readonly string[], env: Settings = {}) {
  const folder = server.database.location.dataDir ?? '';
  const own = { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: server.key, DATA_DIR: folder };
  return runCommand({ args, settings: { ...own, ...env }, folder });
}

const pair = { search: { providers: { include: ['exa', 'brave'] } } };
const searched = async (query: string, session?: string) =>
  (await server.search({ user_input: { query }, ...pair, session_id: session })).json;

test('replay shows what differs, and its price with --dry-run', async () => {
  const { interaction_id: id } = await searched('tidal power');
  server.sandbox.clearCalls();
  const priced = await trawl(['replay', id, '--dry-run', '--json']);
  expect(JSON.parse(priced.stdout).calls).toHaveLength(2);
  expect(server.sandbox.calls).toEqual([]);
  const { code, stdout, stderr } = await trawl(['replay', id]);
  expect([code, server.sandbox.calls.length]).toEqual([0, 2]);
  expect(stdout).toMatch(
    /^tidal power\n {2}exa {2}0 added, 0 gone, 0 moved, 0 changed, \d+ the same, \d+ ms → \d+ ms, \$/,
  );
  const later = /interaction (\S+) of session/.exec(stderr)?.[1] ?? '';
  const diff = await trawl(['diff', id, later, '--json']);
  expect(JSON.parse(diff.stdout)).toMatchObject({
    before: { interaction_id: id },
    after: { interaction_id: later },
  });
});

test('diff has a line for each row that differs', async () => {
  const { interaction_id: before } = await searched('tidal power');
  const { interaction_id: after } = await searched('heat pumps in old houses');
  const { stdout } = await trawl(['diff', before, after]);
  expect(stdout).toMatch(/^tidal power → heat pumps in old houses$/m);
  expect(stdout).toMatch(/^ {4}\+ 1 https?:\/\/\S+ \S/m);
  expect(stdout).toMatch(/^ {4}- 1 https?:\/\/\S+ \S/m);
});

test('replay --session shows the price, and replays each search once', async () => {
  const { session_id: session } = await searched('tidal power');
  await searched('rope walks', session);
  await server.fetch({ session_id: session, urls: ['https://www.example.com/guides/rope-walks'] });
  server.sandbox.clearCalls();
  const refused = await trawl(['replay', session, '--session']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/^2 searches to replay, for about \$0\.\d+\n/);
  expect(refused.stderr).toContain('--yes replays them without a question');
  expect(server.sandbox.calls).toEqual([]);
  const first = await trawl(['replay', session, '--session', '--yes']);
  expect([first.code, first.stdout.trimEnd().split('\n').length]).toEqual([0, 2]);
  expect(first.stdout).toMatch(/\tsucceeded\t2 runs: 0 added, 0 gone, 0 moved, 0 changed/);
  expect(server.sandbox.calls).toHaveLength(4);
  const again = await trawl(['replay', session, '--session', '--dry-run', '--json']);
  expect(JSON.parse(again.stdout).interactions).toHaveLength(2);
});

test('replay names searches whose request was not kept, and a search that was deleted', async () => {
  const { session_id: session, interaction_id: old } = await searched('tidal power');
  await searched('rope walks', session);
  const { db } = openDatabase(server.database.location, { connections: 1 });
  await db.updateTable('interactions').set({ request: null }).where('id', '=', old).execute();
  await db.destroy();
  const plan = await trawl(['replay', session, '--session', '--dry-run']);
  expect(plan.stderr).toMatch(
    /^1 search to replay, for about \$0\.\d+; 1 search without a kept request\n/,
  );
  const refused = await trawl(['replay', old]);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('was not kept');
  await server.call('DELETE', `/v1/sessions/${session}`);
  const gone = await trawl(['diff', old, old]);
  expect([gone.code, gone.stdout]).toEqual([1, '']);
  expect(gone.stderr).toContain(`Interaction ${old} was deleted, by a caller or for its age`);
});

test('a key made with --replay answers from its session', async () => {
  const ask = ['search', 'tidal power', '--include', 'exa,brave', '--json'];
  const { session_id: session } = JSON.parse((await trawl(ask)).stdout);
  server.sandbox.clearCalls();
  const made = await trawl(['keys', 'create', '--project', 'main', '--replay', session, '--json']);
  const { key } = JSON.parse(made.stdout);
  const known = await trawl(ask, { SERVICE_API_KEY: key });
  expect([known.code, known.stderr]).toEqual([0, '']);
  expect(JSON.parse(known.stdout)).toMatchObject({ session_id: session });
  const other = await trawl(['search', 'owls'], { SERVICE_API_KEY: key });
  expect(other.stderr).toContain('that session has no such request');
  expect(server.sandbox.calls).toEqual([]);
  const listed = await trawl(['keys', 'list']);
  expect(listed.stdout).toContain(`replays ${session}`);
});

test.each([
  ['no-session', [], /--replay takes the id of a session/],
  ['01a21ddb-2f1d-779c-94fb-2f086c1956e6', [], /project main has no session/],
  [
    '01a21ddb-2f1d-779c-94fb-2f086c1956e6',
    ['--permissions', 'search,manage'],
    /without the permission manage/,
  ],
])('keys create --replay %s %j is refused', async (session, more, reason) => {
  const args = ['keys', 'create', '--project', 'main', '--replay', session, ...more];
  const refused = await trawl(args);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(reason);
});
