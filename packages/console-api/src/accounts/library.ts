import { changeStore, readStore } from '@trawl/router';
import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { ADDRESS_HEADER, type LibrarySettings, libraryOptions } from './library-options.ts';
import type { RequestFacts } from './request-facts.ts';

export interface NewPerson {
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly password: string;
  readonly isOperator: boolean;
}

/** A session in force. */
export interface LibrarySession {
  readonly id: string;
  readonly expiresAt: string;
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly isOperator: boolean;
  };
}

/** Whole `Set-Cookie` values. */
export type Cookies = readonly string[];

/** Passwords and sessions, which the library better-auth keeps. Functions throw a RequestError 503 when the store fails. */
export interface Library {
  /** Returns the id. Rejects when the address has an account. */
  createPerson(person: NewPerson): Promise<string>;
  /** Begins a session. null = wrong address or password; both take the same time. */
  signIn(
    given: { readonly email: string; readonly password: string },
    facts: RequestFacts,
  ): Promise<{ readonly cookies: Cookies; readonly personId: string } | null>;
  /** Ends the session of a cookie, if there is one. */
  signOut(headers: Headers): Promise<Cookies>;
  session(headers: Headers): Promise<LibrarySession | null>;
  /** Extends the session once a day. The cookies are empty on other calls. */
  extend(headers: Headers): Promise<Cookies>;
  /** Other sessions end, and this one gets a new cookie. null = the current password is wrong, or the person has none. */
  changePassword(
    given: { readonly current: string; readonly next: string },
    headers: Headers,
    facts: RequestFacts,
  ): Promise<Cookies | null>;
}

export function openLibrary(settings: LibrarySettings): Library {
  const auth = betterAuth(libraryOptions(settings));
  return {
    createPerson: (person) => createPerson(auth, person),
    signIn: (given, facts) =>
      unlessRefused(() =>
        auth.api
          .signInEmail({ body: given, headers: sentHeaders(facts), returnHeaders: true })
          .then(({ headers, response }) => ({
            cookies: headers.getSetCookie(),
            personId: response.user.id,
          })),
      ),
    signOut: async (headers) => {
      const request = { headers: cookieOf(headers), returnHeaders: true } as const;
      return (await changeStore(() => auth.api.signOut(request))).headers.getSetCookie();
    },
    session: async (headers) => {
      const query = { disableRefresh: true };
      const found = await readStore(() =>
        auth.api.getSession({ headers: cookieOf(headers), query }),
      );
      if (!found) return null;
      const { id, name, email, isOperator } = found.user;
      return {
        id: found.session.id,
        expiresAt: found.session.expiresAt.toISOString(),
        person: { id, name, email, isOperator: isOperator === 1 },
      };
    },
    extend: async (headers) => {
      const request = { headers: cookieOf(headers), returnHeaders: true } as const;
      return (await changeStore(() => auth.api.getSession(request))).headers.getSetCookie();
    },
    changePassword: ({ current, next }, headers, facts) =>
      unlessRefused(() =>
        auth.api
          .changePassword({
            body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
            headers: sentHeaders(facts, headers),
            returnHeaders: true,
          })
          .then((changed) => changed.headers.getSetCookie()),
      ),
  };
}

type Auth = ReturnType<typeof betterAuth<ReturnType<typeof libraryOptions>>>;

async function createPerson(auth: Auth, { password, isOperator, ...person }: NewPerson) {
  const { internalAdapter, password: passwords } = await auth.$context;
  const hash = await passwords.hash(password);
  const user = await internalAdapter.createUser(
    { ...person, emailVerified: false, isOperator: isOperator ? 1 : 0 },
    { method: 'admin' },
  );
  try {
    await internalAdapter.linkAccount({
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: hash,
    });
  } catch (error) {
    // without a password the account would be of no use, and its address taken
    await internalAdapter.deleteUser(user.id);
    throw error;
  }
  return user.id;
}

/** null when the library refuses the values that a person gave. */
async function unlessRefused<Value>(call: () => Promise<Value>): Promise<Value | null> {
  return changeStore(() =>
    call().catch((error: unknown) => {
      if (isAPIError(error) && error.statusCode >= 400 && error.statusCode < 500) return null;
      throw error;
    }),
  );
}

/** The library sees no other header of a request. */
const cookieOf = (headers: Headers): Headers =>
  new Headers({ cookie: headers.get('cookie') ?? '' });

function sentHeaders({ address, userAgent }: RequestFacts, from?: Headers): Headers {
  const headers = from ? cookieOf(from) : new Headers();
  if (address !== null) headers.set(ADDRESS_HEADER, address);
  if (userAgent !== null) headers.set('user-agent', userAgent);
  return headers;
}
