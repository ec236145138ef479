import type { LoginScope, McpLogin, Role } from '@trawl/contract';
import type { ApiKey } from '@trawl/router';

/** A consent, as it becomes a login. */
export interface NewLogin {
  /** The key of the login, whose `expiresAt` is set here. */
  readonly key: ApiKey & { readonly createdBy: string; readonly loginClient: string };
  /** Whether an operator entered the client, which may have been removed meanwhile. */
  readonly isEntered: boolean;
  /** Random, so that no caller can send the key. */
  readonly keyDigest: string;
  readonly codeDigest: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

export type Granted =
  /** `ended` are the oldest logins that made room. */
  | { readonly outcome: 'granted'; readonly ended: readonly EndedLogin[] }
  /** The same consent was given a moment ago: its code can still be used, or not any more. */
  | { readonly outcome: 'open' | 'used' }
  /** The person, or the entered client, is gone. */
  | { readonly outcome: 'unknown' | 'client_removed' };

/** What a code is exchanged for, and what it must fit to. */
export interface CodeUse extends NewTokens {
  readonly codeDigest: string;
  readonly client: string;
  readonly redirectUri: string;
  /** The challenge that the verifier of the request makes. */
  readonly challenge: string;
}

export interface RefreshUse extends NewTokens {
  readonly refreshDigest: string;
  readonly client: string;
}

interface NewTokens {
  readonly newAccess: string;
  readonly newRefresh: string;
}

/** A login that has ended, as the audit log names it. */
export type EndedLogin = Pick<ApiKey, 'id' | 'name' | 'projectId'> & {
  readonly client: string;
  readonly personId: string;
};

/** Why a code or token is worth nothing. */
export type TokenFault = 'unknown' | 'expired' | 'used' | 'mismatch';

export type TokenOutcome =
  | { readonly outcome: 'issued'; readonly scopes: readonly LoginScope[] }
  | { readonly outcome: 'refused'; readonly fault: TokenFault }
  /** The login ended with this use. */
  | { readonly outcome: 'ended'; readonly why: LoginEnd; readonly login: EndedLogin | undefined };

/** Why a login ends, but by a person. */
export type LoginEnd = 'used_twice' | 'not_allowed' | 'person_gone';

/** What an access token may do now. */
export interface LoginUse {
  readonly key: ApiKey;
  /** Why the login is over; undefined = it goes on. */
  readonly lost?: 'not_allowed' | 'person_gone';
}

/** A login with what its right rests on. */
export interface LoginStanding {
  readonly key: ApiKey;
  readonly isPerson: boolean;
  readonly role: Role | null;
  readonly setting: McpLogin;
}

/** A login as its person sees it. */
export interface ListedLogin {
  readonly key: ApiKey;
  readonly projectName: string;
}

/** A client of `/mcp` that an operator entered. */
export interface LoginClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: string;
}
