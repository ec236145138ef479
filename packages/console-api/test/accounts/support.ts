import { randomUUID } from 'node:crypto';
import { CHEAP_PASSWORDS } from '@trawl/test-support/cheap-passwords';
import type { TestDatabase, TestStore } from '@trawl/test-support/databases';
import { v7 } from 'uuid';
import { expect } from 'vitest';
import { type AccountsOptions, openAccounts } from '../../src/accounts/accounts.ts';
import type { RequestFacts } from '../../src/accounts/request-facts.ts';
import { createSetupCode } from '../../src/accounts/setup-code.ts';
import type { Person } from '../../src/serving/person.ts';

export const PASSWORD = 'correct horse battery';

/** The facts of a request. Each has its own address, so that limits by address do not add up. */
export const facts = (given: Partial<RequestFacts> = {}): RequestFacts => ({
  requestId: 'request-1',
  address: `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`,
  userAgent: 'a browser',
  baseUrl: 'https://trawl.example.com',
  ...given,
});

/** The headers of a browser that has received these cookies. */
export const browser = (cookies: readonly string[]): Headers =>
  new Headers({ cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') });

export interface TestAccountsOptions
  extends Pick<AccountsOptions, 'provider' | 'isSingleSignOnOnly' | 'passwords'> {
  readonly publicUrl?: string;
}

/** Accounts on a fresh database, with a clock that shows the same time until a test moves it. */
export async function openTestAccounts(
  database: TestDatabase,
  { publicUrl = 'https://trawl.example.com', ...others }: TestAccountsOptions = {},
) {
  const opened = await database.open();
  const faults: string[] = [];
  const time = { now: Date.now() };
  const clock = { now: () => time.now, newId: () => v7() };
  const options = {
    store: opened.store,
    secret: `a secret of this test ${randomUUID()}`,
    publicUrl,
    passwords: CHEAP_PASSWORDS,
    ...others,
    clock,
    reportFault: (cause: unknown, what: string) => void faults.push(`${what}: ${cause}`),
  };
  const accounts = openAccounts(options);
  return { ...testPeople(accounts, opened), opened, accounts, options, faults, time, clock };
}

export type TestAccounts = Awaited<ReturnType<typeof openTestAccounts>>;

function testPeople(accounts: ReturnType<typeof openAccounts>, { store }: TestStore) {
  const clock = { now: () => Date.now(), newId: () => v7() };

  async function signedIn(cookies: readonly string[]): Promise<Person> {
    const person = await accounts.signIn.personOf(browser(cookies));
    if (!person) throw new Error('no one is signed in');
    return person;
  }
  return {
    signedIn,
    newProject: async (): Promise<string> => {
      const project = { id: v7(), name: `project ${v7()}`, createdAt: new Date().toISOString() };
      return (await store.keys.ensureProject(project)).id;
    },
    /** Makes the first account. */
    operator: async (email = 'ada@example.com') => {
      const code = (await createSetupCode(store, clock)) ?? '';
      const input = { code, name: 'Ada', email, password: PASSWORD };
      const cookies = await accounts.signIn.setUp(input, facts());
      return { cookies, person: await signedIn(cookies) };
    },
    /** Invites a person, who accepts with a new account. */
    member: async (
      by: Person,
      projectId: string,
      role: 'viewer' | 'member' | 'admin' | 'owner',
      email = `${randomUUID()}@example.com`,
    ) => {
      const { link } = await accounts.invitations.invite(by, { projectId, email, role }, facts());
      const given = { token: tokenOf(link), name: `A ${role}`, password: PASSWORD };
      const cookies = await accounts.accept.acceptAsNew(given, facts());
      return { cookies, person: await signedIn(cookies), email };
    },
  };
}

export const tokenOf = (link: string): string => link.split('#')[1] ?? '';

/** What `expect(…).rejects` compares a refusal with. */
export const refusal = (status: number, text: RegExp) => ({
  status,
  detail: expect.stringMatching(text),
});
