import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, sendJson, serveHttp } from '@trawl/test-support/loopback';
import { runProgram } from '@trawl/test-support/program';
import { describe, expect, type TestContext, test } from 'vitest';
import { runCommand } from './support/command.ts';

const LIMIT_MS = 120_000;
const SECRET = 'a-secret-of-the-webhook';

async function folder({ onTestFinished }: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'trawl-alerts-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

// each waits six seconds between its tries
describe.concurrent('alerts test', { timeout: LIMIT_MS }, () => {
  test('posts one, and alerts list has it', async (context) => {
    const hook = await serveHttp(
      (response, _request, index) => sendJson(response, {}, index === 0 ? 200 : 500),
      context,
    );
    const home = await folder(context);
    const settings = {
      DATA_DIR: join(home, 'data'),
      ALERT_WEBHOOK_URL: `${hook.url}/token`,
      ALERT_WEBHOOK_SECRET: SECRET,
    };
    const trawl = (...args: readonly string[]) => runCommand({ args, settings, folder: home });
    await trawl('projects', 'create', 'team');
    const good = await trawl('alerts', 'test');
    expect([good.code, good.stderr]).toEqual([0, 'the webhook accepted the test alert\n']);
    expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({ type: 'test', server: null });
    const bad = await trawl('alerts', 'test');
    expect([bad.code, bad.stderr]).toEqual([
      1,
      'the webhook did not accept the test alert, 3 tries: HTTP 500\n',
    ]);
    const list = await trawl('alerts', 'list', '--json');
    expect(JSON.parse(list.stdout)).toMatchObject([
      { type: 'test', state: 'failed', tries: 3, problem: 'HTTP 500' },
      { type: 'test', state: 'delivered', tries: 1, problem: null },
    ]);
    expect(list.stdout).not.toContain('token');
  });

  test('needs a webhook, and no database', async (context) => {
    const home = await folder(context);
    const args = ['alerts', 'test'];
    const unset = await runProgram({ args, folder: home });
    expect([unset.code, unset.stderr]).toEqual([
      1,
      expect.stringContaining('no webhook is set: set ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET'),
    ]);
    const settings = {
      ALERT_WEBHOOK_URL: `http://127.0.0.1:${await freePort()}`,
      ALERT_WEBHOOK_SECRET: SECRET,
    };
    // not in this process, whose environment and output are those of the first test
    const { code, stderr } = await runProgram({ args, settings, folder: home });
    expect([code, stderr]).toEqual([1, expect.stringContaining('no connection (ECONNREFUSED)')]);
  });
});
