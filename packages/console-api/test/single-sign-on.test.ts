import { type ConsoleServer, startConsoleServer } from '@trawl/test-support/console-server';
import { CLIENT, startToyProvider, type ToyProvider } from '@trawl/test-support/toy-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** What the proxy in front of the server is called. */
const PUBLIC_URL = 'https://trawl.example.com';

describe('single sign-on over HTTP', () => {
  let provider: ToyProvider;
  let server: ConsoleServer;
  beforeAll(async () => {
    provider = await startToyProvider();
    server = await startConsoleServer({
      env: {
        PUBLIC_URL,
        CONSOLE_OIDC_ISSUER: provider.issuer,
        CONSOLE_OIDC_CLIENT_ID: CLIENT.id,
        CONSOLE_OIDC_CLIENT_SECRET: CLIENT.secret,
        CONSOLE_OIDC_LABEL: 'Toy',
        CONSOLE_OIDC_DOMAINS: 'example.com',
      },
    });
  });
  afterAll(async () => {
    await server.stop();
    await provider.stop();
  });

  /** As a browser that shows where it is sent, and goes there only when asked. */
  async function visit(path: string, cookies: readonly string[] = []) {
    const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
    const response = await fetch(`${server.url}${path}`, {
      redirect: 'manual',
      headers: { cookie },
    });
    const location = response.headers.get('location') ?? '';
    return {
      status: response.status,
      location,
      response,
      cookies: response.headers.getSetCookie(),
    };
  }

  test('goes to the provider and back to the page that was wanted', async () => {
    const state = await server.browser().call('GET', '/console/api/state');
    expect(state.json).toMatchObject({ password_sign_in: true, single_sign_on: { label: 'Toy' } });
    const away = await visit('/console/api/single-sign-on?redirect=/console/account');
    expect([away.status, new URL(away.location).origin]).toEqual([302, provider.issuer]);
    const back = new URL(await provider.authorize(away.location));
    expect(`${back.origin}${back.pathname}`).toBe(
      `${PUBLIC_URL}/console/api/single-sign-on/callback`,
    );
    const returning = `${back.pathname}${back.search}`;
    const stranger = await visit(returning);
    expect([stranger.status, stranger.location]).toEqual([302, '/console/sign-in?error=failed']);

    const returned = await visit(returning, away.cookies);
    expect([returned.status, returned.location]).toEqual([302, '/console/account']);
    expect(returned.response.headers.get('cache-control')).toBe('no-store');
    const session = await visit('/console/api/session', returned.cookies);
    expect(await session.response.json()).toMatchObject({
      person: { email: 'grace@example.com', is_operator: false },
      projects: [],
    });
  });

  test('no other way of the library is open', async () => {
    const person = server.browser();
    const body = { email: 'eve@example.com', name: 'Eve', password: 'correct horse battery' };
    for (const path of [
      'sign-up/email',
      'sign-in/email',
      'callback/oidc',
      'get-session',
      'error',
    ]) {
      const asked = `/console/api/single-sign-on/${path}`;
      const answers = [
        await person.call('POST', asked, { body }),
        await person.call('GET', asked),
        await person.call('GET', `/console/api/single-sign-on/callback/../${path}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
  });
});
