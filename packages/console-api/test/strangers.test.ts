import {
  type Browser,
  type ConsoleServer,
  signInAt,
  signInAtSettings,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startToyProvider, type ToyProvider } from '@trawl/test-support/toy-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const START = '/console/api/single-sign-on';
const CALLBACK = `${START}/callback`;

describeMainlyOn('SQLite', 'strangers who call single sign-on', (database) => {
  let provider: ToyProvider;
  let server: ConsoleServer;
  let operator: Browser;
  beforeAll(async () => {
    provider = await startToyProvider();
    const env = { ...signInAtSettings(provider), TRUSTED_PROXIES: '127.0.0.1' };
    server = await startConsoleServer({ database, env });
    operator = await server.operator();
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  const get = (path: string, from: string, by = server.browser()) =>
    by.call('GET', path, { redirect: 'manual', headers: { 'x-forwarded-for': from } });
  const audited = async (): Promise<number> =>
    (await operator.call('GET', '/console/api/audit?limit=200')).json.entries.length;
  const rowsOfStates = async (): Promise<number> => {
    const { db } = server.server.store.accounts.database;
    return (await db.selectFrom('console_verifications').select('id').execute()).length;
  };

  test('write nothing into the audit log, and no line above debug', async () => {
    const before = await audited();
    const begun = server.browser();
    const away = await get(START, '198.51.100.1', begun);
    const state = new URL(away.headers.get('location') ?? '').searchParams.get('state');
    const strays: [string, Browser?][] = [
      [CALLBACK],
      [`${CALLBACK}?error=access_denied`],
      [`${CALLBACK}?state=made-up&code=x`],
      [`${CALLBACK}?state=${'x'.repeat(8_000)}`],
      [`${CALLBACK}?state=${state}&code=x`],
      [`${CALLBACK}?state=made-up&code=x`, begun],
      [`${CALLBACK}?state=${state}&state=${state}&code=x`, begun],
      [`${CALLBACK}?state[a]=b&state=${state}x&code=a&code=b`, begun],
    ];
    for (const [path, by] of strays) {
      const { status, headers } = await get(path, '198.51.100.1', by);
      expect([path.slice(0, 80), status, headers.get('location')]).toEqual([
        path.slice(0, 80),
        302,
        '/console/sign-in?error=failed',
      ]);
    }
    expect(await audited()).toBe(before);
    const lines = server
      .logged()
      .split('\n')
      .filter((line) => line.includes('single sign-on') || line.includes('sign-in library'));
    expect(lines).toHaveLength(strays.length);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ level: 20, reason: 'failed' });
    }
  });

  test('leave no rows behind when they begin a sign-in and do not end it', async () => {
    for (let count = 0; count < 20; count += 1) await get(START, '198.51.100.2');
    expect(await rowsOfStates()).toBe(0);
  });

  test('are limited by address, when they begin and when they come back', async () => {
    const from = '198.51.100.3';
    const statusesOf = async (path: string, count: number) =>
      (await Promise.all(Array.from({ length: count }, () => get(path, from)))).map(
        ({ status }) => status,
      );
    expect(await statusesOf(START, 300)).not.toContain(429);
    const refused = await get(START, from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusesOf(CALLBACK, 60)).not.toContain(429);
    expect(await statusesOf(CALLBACK, 1)).toEqual([429]);
    expect((await get(START, '198.51.100.4')).status).toBe(302);
  });

  test('do not lock out people of their address who were signed in on their device', async () => {
    provider.behave({ claims: { sub: 'ada', email: 'ada@example.com' } });
    const person = server.browser();
    expect((await signInAt(provider, person)).status).toBe(302);
    await person.call('POST', '/console/api/sign-out');
    const from = '198.51.100.3';
    const away = await get(START, from, person);
    expect(away.status).toBe(302);
    const back = new URL(await provider.authorize(away.headers.get('location') ?? ''));
    await get(`${back.pathname}${back.search}`, from, person);
    expect((await person.call('GET', '/console/api/session')).status).toBe(200);
  });
});
