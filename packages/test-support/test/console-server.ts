import { systemClock } from '@trawl/base';
import { consoleBranch, createSetupCode } from '@trawl/console-api';
import type { ConsoleOptions } from '@trawl/console-api/testing';
import type { Role } from '@trawl/contract';
import { CHEAP_PASSWORDS } from './cheap-passwords.ts';
import {
  type Answer,
  type Request,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from './harness.ts';
import { CLIENT, type ToyProvider } from './toy-provider.ts';

export const PASSWORD = 'correct horse battery';

/** A browser with a console open in it: it keeps cookies, and sends the origin of its page. */
export interface Browser {
  call(method: string, path: string, request?: Omit<Request, 'key'>): Promise<Answer>;
  /** Of `Cookie` headers. */
  cookie(): string;
}

/** People who use the console of a server. */
export interface ConsolePeople {
  /** A browser in which no one is signed in. */
  browser(): Browser;
  /** The first account, an operator, which is made when it is first asked for. */
  operator(): Promise<Browser>;
  /** A new person with this role in the server's project. */
  person(role: Role, projectId?: string): Promise<Browser>;
  /** The path of a route in the server's project: `/keys`. */
  path(rest: string, projectId?: string): string;
}

/** The settings of a server whose people may sign in at this provider. */
export const signInAtSettings = (provider: ToyProvider) => ({
  PUBLIC_URL: 'https://trawl.example.com',
  CONSOLE_OIDC_ISSUER: provider.issuer,
  CONSOLE_OIDC_CLIENT_ID: CLIENT.id,
  CONSOLE_OIDC_CLIENT_SECRET: CLIENT.secret,
});

/** Goes to the provider and comes back as the person that it names; returns the last redirect. */
export async function signInAt(provider: ToyProvider, browser: Browser): Promise<Answer> {
  const redirect = 'manual';
  const away = await browser.call('GET', '/console/api/single-sign-on', { redirect });
  const back = new URL(await provider.authorize(away.headers.get('location') ?? ''));
  return browser.call('GET', `${back.pathname}${back.search}`, { redirect });
}

export type ConsoleServer = TestServer & ConsolePeople;

/** @param consoleOptions `{}` = passwords are hashed at their real cost */
export async function startConsoleServer(
  options: TestServerOptions = {},
  consoleOptions: ConsoleOptions = { passwords: CHEAP_PASSWORDS },
): Promise<ConsoleServer> {
  const server = await startTestServer({ ...options, branches: [consoleBranch(consoleOptions)] });
  return { ...server, ...consolePeople(server) };
}

export function consolePeople(server: TestServer): ConsolePeople {
  const path = (rest: string, projectId = server.projectId) =>
    `/console/api/projects/${projectId}${rest}`;
  let operator: Promise<Browser> | undefined;
  let people = 0;
  const asOperator = () => {
    operator ??= makeOperator(server);
    return operator;
  };
  const asPerson = async (role: Role, projectId?: string): Promise<Browser> => {
    people += 1;
    const email = `${role}-${people}@example.com`;
    const inviting = await asOperator();
    const made = await inviting.call('POST', path('/invitations', projectId), {
      body: { email, role },
    });
    expectOk(made);
    const token = String(made.json.link).split('#')[1];
    const person = openBrowser(server);
    const body = { token, name: `The ${role} ${people}`, password: PASSWORD };
    expectOk(await person.call('POST', '/console/api/invitation/accept', { body }));
    return person;
  };
  return {
    browser: () => openBrowser(server),
    operator: asOperator,
    person: asPerson,
    path,
  };
}

async function makeOperator(server: TestServer): Promise<Browser> {
  const code = await createSetupCode(server.server.store, systemClock);
  const browser = openBrowser(server);
  const body = { code, name: 'Ada Operator', email: 'ada@example.com', password: PASSWORD };
  expectOk(await browser.call('POST', '/console/api/setup', { body }));
  return browser;
}

/** @param cookies that it has already, as of a `Cookie` header */
export function openBrowser(server: TestServer, cookies = ''): Browser {
  const jar = new Map<string, string>();
  if (cookies !== '') for (const pair of cookies.split('; ')) keep(jar, pair);
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookie,
    call: async (method, path, request = {}) => {
      const headers = { origin: server.url, cookie: cookie(), ...request.headers };
      const answer = await server.call(method, path, { ...request, key: null, headers });
      for (const set of answer.headers.getSetCookie()) keep(jar, set);
      return answer;
    },
  };
}

function keep(jar: Map<string, string>, set: string): void {
  const [pair = ''] = set.split(';');
  const [name = '', value = ''] = pair.split('=', 2);
  if (value === '' || /max-age=0/i.test(set)) jar.delete(name);
  else jar.set(name, value);
}

function expectOk({ status, text }: Answer): void {
  if (status >= 300) throw new Error(`the set-up of the test failed: ${status} ${text}`);
}
