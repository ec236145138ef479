import { describeMainlyOn } from '@trawl/test-support/databases';
import {
  APP,
  askFor,
  callTool,
  decide,
  logIn,
  movesTo,
  refreshOf,
  sendForm,
  startLoginServer,
} from '@trawl/test-support/logins';
import { expect, it, onTestFinished } from 'vitest';

const textOf = (document: object) => ({ text: JSON.stringify(document), freshSeconds: 0 });

describeMainlyOn('SQLite', 'a login that was granted', (database) => {
  it('is that which the page showed, whatever the document says a moment later', async () => {
    let document: typeof APP = APP;
    const server = await startLoginServer({
      database,
      readDocument: async () => textOf(document),
    });
    onTestFinished(() => server.stop());
    const person = await server.person('admin');
    const { query } = askFor();
    const { text } = await person.call('GET', `/console/authorize?${query}`);
    document = { ...APP, client_name: 'Evil', redirect_uris: ['https://evil.example/callback'] };
    const back = movesTo((await decide(person, text)).text);
    expect(`${back.origin}${back.pathname}`).toBe(APP.redirect_uris[0]);
    const [login] = (await person.call('GET', '/console/api/account/logins')).json.logins;
    expect(login.name).toBe('An app');
    // the next person is asked about what it says now
    const next = await person.call('GET', `/console/authorize?${query}`);
    expect(next.text).toContain(`wants you to go back to: ${APP.redirect_uris[0]}`);
  });

  it('goes on while its document cannot be read, which no token needs', async () => {
    let isGone = false;
    const server = await startLoginServer({
      database,
      readDocument: async () => (isGone ? { problem: 'gone' } : textOf(APP)),
    });
    onTestFinished(() => server.stop());
    const { refresh } = await logIn(server, await server.person('admin'));
    isGone = true;
    const renewed = await sendForm(server, refreshOf(refresh));
    expect((await callTool(server, renewed.json.access_token)).status).toBe(200);
  });

  it('ends where the server starts with login off, and does not come back', async () => {
    const fresh = await database.create();
    onTestFinished(() => fresh.drop());
    const kept = { ...database, create: async () => ({ ...fresh, drop: async () => {} }) };
    const first = await startLoginServer({ database: kept });
    const { access, refresh } = await logIn(first, await first.person('admin'));
    expect((await callTool(first, access)).status).toBe(200);
    await first.stop();

    const PUBLIC_URL = first.issuer;
    const off = await startLoginServer({ database: kept, env: { PUBLIC_URL, MCP_LOGIN: 'off' } });
    expect((await callTool(off, access)).status).toBe(401);
    const keys = await off.server.store.keys.listKeys(undefined);
    expect(keys.find(({ loginClient }) => loginClient === APP.client_id)).toBeDefined();
    expect(off.logged()).toContain('MCP_LOGIN is off: all logins for /mcp ended');
    const { audit } = off.server.store.accounts;
    expect((await audit.page({ action: 'login.ended', limit: 5 })).entries).toMatchObject([
      { actor: { kind: 'command_line' }, detail: { logins: 1, because: 'mcp_login_off' } },
    ]);
    await off.stop();

    const again = await startLoginServer({ database: kept, env: { PUBLIC_URL } });
    expect((await callTool(again, access)).status).toBe(401);
    expect((await sendForm(again, refreshOf(refresh))).json.error).toBe('invalid_grant');
    await again.stop();
  });

  it('goes on after a start at which a setting was missing', async () => {
    const fresh = await database.create();
    onTestFinished(() => fresh.drop());
    const kept = { ...database, create: async () => ({ ...fresh, drop: async () => {} }) };
    const first = await startLoginServer({ database: kept });
    const { access } = await logIn(first, await first.person('admin'));
    await first.stop();
    const PUBLIC_URL = first.issuer;
    const wrong = await startLoginServer({ database: kept, env: { PUBLIC_URL, CONSOLE: 'off' } });
    expect((await callTool(wrong, access)).status).toBe(401);
    await wrong.stop();
    const again = await startLoginServer({ database: kept, env: { PUBLIC_URL } });
    expect((await callTool(again, access)).status).toBe(200);
    await again.stop();
  });

  it('is worth nothing under another PUBLIC_URL, which its tokens are not for', async () => {
    const fresh = await database.create();
    onTestFinished(() => fresh.drop());
    const kept = { ...database, create: async () => ({ ...fresh, drop: async () => {} }) };
    const first = await startLoginServer({ database: kept });
    const { access, refresh } = await logIn(first, await first.person('admin'));
    await first.stop();
    const moved = await startLoginServer({ database: kept });
    onTestFinished(() => moved.stop());
    expect(moved.issuer).not.toBe(first.issuer);
    expect((await callTool(moved, access)).status).toBe(401);
    expect((await sendForm(moved, refreshOf(refresh))).json.error).toBe('invalid_grant');
  });

  it('cannot be made by a document of this server itself, or of a private address', async () => {
    const server = await startLoginServer({ database, readDocument: undefined });
    onTestFinished(() => server.stop());
    const person = await server.person('admin');
    for (const id of [
      'https://127.0.0.1/client.json',
      'https://localhost/client.json',
      'https://[::1]:8443/client.json',
      'https://169.254.169.254/latest/meta-data',
    ]) {
      const { query } = askFor({ client_id: id });
      const { status, text } = await person.call('GET', `/console/authorize?${query}`);
      expect([id, status]).toEqual([id, 400]);
      expect(text).toContain('The program is not known: the document about the program');
    }
  });
});
