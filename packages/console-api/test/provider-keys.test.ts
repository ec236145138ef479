import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Browser,
  type ConsoleServer,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { describeOnDatabases, type TestDatabase } from '@trawl/test-support/databases';
import { storedText } from '@trawl/test-support/stored-text';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const KEYS = '/console/api/provider-keys';
const SECRETS_KEY = randomBytes(32).toString('base64');
/** By the decisions, a change reaches every server within a second. */
const NOTICED_WITHIN_MS = 1_000;
const CANARY = 'canary-of-a-providers-key-7Qx';
const OTHER = 'other-canary-of-a-key-9Lm2';

const withoutTavily = { TAVILY_API_KEY: undefined };

const set = (operator: Browser, key: string, provider = 'tavily') =>
  operator.call('POST', KEYS, { body: { provider, key } });
const listOf = async (operator: Browser) => (await operator.call('GET', KEYS)).json;

/** How a search of tavily ends: `succeeded`, or the code of its error. */
async function searched(server: ConsoleServer): Promise<string> {
  const { json } = await server.search({
    user_input: { query: 'tidal power' },
    search: { providers: { include: ['tavily'] }, include_raw: true },
  });
  const [run] = json.preprocessor_runs;
  return run.error?.code ?? run.status;
}

const becomes = (server: ConsoleServer, outcome: string) =>
  expect
    .poll(() => searched(server), { timeout: NOTICED_WITHIN_MS * 5, interval: 50 })
    .toBe(outcome);

/** Another server on the same database. */
const onSame = (first: ConsoleServer, database: TestDatabase): TestDatabase => ({
  ...database,
  create: async () => ({ location: first.database.location, drop: async () => {} }),
});

describeOnDatabases('keys of providers in the console', (database) => {
  let server: ConsoleServer;
  let operator: Browser;
  beforeAll(async () => {
    server = await startConsoleServer({ database, env: { SECRETS_KEY, ...withoutTavily } });
    operator = await server.operator();
  });
  afterAll(() => server.stop());

  it('are used at once, shown by their tail alone, and gone when removed', async () => {
    expect(await searched(server)).toBe('missing_credential');
    const made = await set(operator, CANARY);
    expect([made.status, made.json]).toMatchObject([
      200,
      { provider: 'tavily', tail: '-7Qx', created_by: 'Ada Operator', state: 'in_use' },
    ]);
    expect(await searched(server)).toBe('succeeded');
    expect(server.sandbox.calls.at(-1)?.key).toBe(CANARY);
    const listed = await operator.call('GET', KEYS);
    expect(listed.json).toMatchObject({ obstacle: null, keys: [made.json] });
    expect(listed.json.providers).toContainEqual({
      slug: 'tavily',
      setting: 'TAVILY_API_KEY',
      is_set_by_environment: false,
    });
    const gone = await operator.call('DELETE', `${KEYS}/${made.json.id}`);
    expect(gone.status).toBe(204);
    expect(await searched(server)).toBe('missing_credential');
    expect((await operator.call('DELETE', `${KEYS}/${made.json.id}`)).status).toBe(404);
  });

  it('leave no trace but their tail in the database, the log and the audit log', async () => {
    const made = await set(operator, CANARY);
    expect(await searched(server)).toBe('succeeded');
    const { entries } = (await operator.call('GET', '/console/api/audit')).json;
    expect(entries[0]).toMatchObject({
      action: 'provider_key.added',
      outcome: 'succeeded',
      target: { kind: 'provider', name: 'tavily', id: made.json.id },
      detail: { tail: '-7Qx' },
    });
    const found = [await storedText(server.database), server.logged(), JSON.stringify(entries)];
    for (const text of found) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, 30));
    }
    expect((await operator.call('DELETE', `${KEYS}/${made.json.id}`)).status).toBe(204);
  });

  it('may be several of one provider, each once', async () => {
    const first = await set(operator, CANARY);
    const second = await set(operator, OTHER);
    const again = await set(operator, OTHER);
    expect([again.status, again.json.detail]).toEqual([400, 'This key of tavily is set already']);
    const { keys } = await listOf(operator);
    expect(keys.map(({ tail }: { tail: string }) => tail)).toEqual(['-7Qx', '9Lm2']);
    for (const { json } of [first, second]) await operator.call('DELETE', `${KEYS}/${json.id}`);
  });

  it.each([
    ['searxng', CANARY, /^This provider takes no key here; those that do are .*exa/],
    ['no-such', CANARY, /^This provider takes no key here/],
    [CANARY, 'exa', /^This provider takes no key here/],
    ['tavily', 'has a space in it', /key must be printable ASCII without spaces/],
    ['tavily', '', /key must be printable ASCII/],
    ['tavily', 'k'.repeat(2_001), /key must have at most 2000 characters/],
  ])('refuses for %s the key %s without repeating it', async (provider, key, reason) => {
    const refused = await set(operator, key, provider);
    expect(refused.status).toBe(400);
    expect(refused.json.detail).toMatch(reason);
    if (key !== '' && key !== 'exa') expect(refused.text).not.toContain(key);
    expect(refused.text).not.toContain(CANARY);
    const [entry] = (await operator.call('GET', '/console/api/audit')).json.entries;
    expect(entry).toMatchObject({ action: 'provider_key.added', outcome: 'refused' });
    expect(JSON.stringify(entry)).not.toContain(CANARY);
    expect((await listOf(operator)).keys).toEqual([]);
  });

  it('are not repeated by an error about the form of the body', async () => {
    for (const body of [{ key: CANARY }, { provider: 7, key: CANARY }, { key: [CANARY] }]) {
      const refused = await operator.call('POST', KEYS, { body });
      expect(refused.status).toBe(422);
      expect(refused.text).not.toContain(CANARY);
    }
  });

  it('are for operators alone', async () => {
    const owner = await server.person('owner');
    for (const asked of [
      await owner.call('GET', KEYS),
      await set(owner, CANARY),
      await owner.call('DELETE', `${KEYS}/01a21ddb-2f1d-779c-94fb-2f086c1956e6`),
    ]) {
      expect(asked.status).toBe(403);
    }
    expect((await server.browser().call('GET', KEYS)).status).toBe(401);
    const withKey = await server.call('GET', KEYS, { headers: { origin: server.url } });
    expect(withKey.status).toBe(401);
  });
});

describeOnDatabases(
  'keys of providers in the console of several servers',
  (database) => {
    it('reach the others within a second, and open only under the same SECRETS_KEY', async () => {
      const env = { SECRETS_KEY, ...withoutTavily };
      const first = await startConsoleServer({ database, env });
      onTestFinished(() => first.stop());
      const second = await startConsoleServer({ database: onSame(first, database), env });
      onTestFinished(() => second.stop());
      const stranger = await startConsoleServer({
        database: onSame(first, database),
        env: { ...env, SECRETS_KEY: randomBytes(32).toString('base64') },
      });
      onTestFinished(() => stranger.stop());
      const operator = await first.operator();
      const made = await set(operator, CANARY);
      await becomes(second, 'succeeded');
      await expect.poll(() => stranger.logged()).toMatch(/sealed under another SECRETS_KEY/);
      expect(await searched(stranger)).toBe('missing_credential');
      await operator.call('DELETE', `${KEYS}/${made.json.id}`);
      await becomes(second, 'missing_credential');
    });

    it('cannot be set without SECRETS_KEY, which the server and the page say', async () => {
      const server = await startConsoleServer({ database, env: withoutTavily });
      onTestFinished(() => server.stop());
      const operator = await server.operator();
      expect((await listOf(operator)).obstacle).toMatch(/^SECRETS_KEY is not set, and/);
      const refused = await set(operator, CANARY);
      expect([refused.status, refused.json.detail]).toMatchObject([
        400,
        expect.stringMatching(/^SECRETS_KEY is not set/),
      ]);
    });
  },
  'PostgreSQL',
);

describe('keys of providers in the console', () => {
  it('are not used where the environment has one', async () => {
    const server = await startConsoleServer({ env: { SECRETS_KEY } });
    onTestFinished(() => server.stop());
    const operator = await server.operator();
    const made = await set(operator, CANARY);
    expect(made.json.state).toBe('overruled');
    expect(await searched(server)).toBe('succeeded');
    expect(server.sandbox.calls.at(-1)?.key).not.toBe(CANARY);
  });

  it('are sealed under a secret that is made once in DATA_DIR, for its owner alone', async () => {
    const server = await startConsoleServer({ env: withoutTavily });
    onTestFinished(() => server.stop());
    const operator = await server.operator();
    const file = join(server.database.location.dataDir, 'secrets-key');
    await expect(stat(file)).rejects.toThrow('ENOENT');
    expect((await set(operator, CANARY)).status).toBe(200);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await searched(server)).toBe('succeeded');
    expect((await set(operator, OTHER)).json.state).toBe('in_use');
  });
});
