import { changeStore, readStore } from '@trawl/router';
import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { ADDRESS_HEADER, type LibrarySettings, libraryOptions } from './library-options.ts';
import type { RequestFacts } from './request-facts.ts';

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

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface LibrarySignIn {
  readonly cookies: Cookies;
  readonly personId: string;
}

/** Whole `Set-Cookie` values. */
export type Cookies = readonly string[];

/** The headers with which a browser sends cookies back. */
export const sentBack = (cookies: Cookies): Headers =>
  new Headers({ cookie: cookies.map((one) => one.split(';')[0]).join('; ') });

/**
 * Passwords and sessions, which the library better-auth keeps. Functions throw a RequestError 503
 * when the store fails.
 */
export interface Library {
  /** As it is stored; null without a password. */
  passwordHash(personId: string): Promise<string | null>;
  /** As it is stored. */
  hashPassword(password: string): Promise<string>;
  /** Begins a session. null = wrong address or password; both take the same time. */
  signIn(given: Credentials, facts: RequestFacts): Promise<LibrarySignIn | null>;
  /** Ends the session of a cookie, if there is one. */
  signOut(headers: Headers): Promise<Cookies>;
  session(headers: Headers): Promise<LibrarySession | null>;
  /** Extends the session once a day. The cookies are empty on other calls. */
  extend(headers: Headers): Promise<Cookies>;
  /**
   * Other sessions end, and this one gets a new cookie. null = the current password is wrong, or
   * the person has none.
   */
  changePassword(
    given: { readonly current: string; readonly next: string },
    headers: Headers,
    facts: RequestFacts,
  ): Promise<Cookies | null>;
}

export function openLibrary(settings: LibrarySettings): Library {
  const auth = betterAuth(libraryOptions(settings));
  return {
    passwordHash: async (personId) => {
      const { internalAdapter } = await auth.$context;
      return (await internalAdapter.findCredentialAccount(personId))?.password ?? null;
    },
    hashPassword: async (password) => (await auth.$context).password.hash(password),
    signIn: (given, facts) =>
      unlessRefused(() =>
        auth.api
          .signInEmail({ body: given, headers: sentHeaders(facts), returnHeaders: true })
          .then(async ({ headers, response: { user, token } }) => {
            if (!(await keptByPassword(auth, user.id, token))) return null;
            return { cookies: headers.getSetCookie(), personId: user.id };
          }),
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
          .then(async ({ headers: changed, response: { user, token } }) => {
            const isKept = token === null || (await keptByPassword(auth, user.id, token));
            return isKept ? changed.getSetCookie() : null;
          }),
      ),
  };
}

type Auth = ReturnType<typeof betterAuth<ReturnType<typeof libraryOptions>>>;

/**
 * Whether the password with which a session began is still there. Checking it takes a while, in
 * which the account may have been taken over; the session ends then.
 */
async function keptByPassword(auth: Auth, personId: string, token: string): Promise<boolean> {
  const { internalAdapter } = await auth.$context;
  if (await internalAdapter.findCredentialAccount(personId)) return true;
  await internalAdapter.deleteSession(token);
  return false;
}

/** null when the library refuses the values that a person gave. */
async function unlessRefused<Value>(call: () => Promise<Value | null>): Promise<Value | null> {
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
