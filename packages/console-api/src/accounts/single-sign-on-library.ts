import { AsyncLocalStorage } from 'node:async_hooks';
import type { SingleSignOnRefusal } from '@trawl/contract';
import { parsedUrl } from '@trawl/contract';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { type Discovered, type IdentityProvider, readProfile } from './identity-provider.ts';
import type { Cookies } from './library.ts';
import {
  type LibrarySettings,
  libraryOptions,
  NO_TOKENS,
  STATE_FAULTS,
} from './library-options.ts';

export interface SingleSignOnSettings extends LibrarySettings {
  readonly publicUrl: string;
  readonly provider: IdentityProvider;
  readonly discovered: Discovered;
  /** Whether a person without an account may make one. */
  readonly mayJoin: (email: string) => Promise<boolean>;
}

export type SingleSignOnOutcome =
  | {
      readonly kind: 'signed_in';
      readonly cookies: Cookies;
      readonly isNew: boolean;
      /** Where the person wanted to go. */
      readonly path: string;
    }
  /** This browser did not begin it: its state is missing, unknown or too old. */
  | { readonly kind: 'stray'; readonly cookies: Cookies }
  | {
      readonly kind: 'refused';
      readonly cookies: Cookies;
      readonly reason: SingleSignOnRefusal;
      /** Of the person, where the provider said it. */
      readonly email: string | null;
    };

export interface SingleSignOnLibrary {
  /** Where the browser goes, with the cookie that proves that it comes back itself. */
  start(path: string): Promise<{ readonly url: string; readonly cookies: Cookies }>;
  /**
   * @param search the query with which the provider sent the browser back
   * @param takeOver called before the verified identity gets a new place among the ways to sign in
   * to an account
   */
  finish(search: string, headers: Headers, takeOver: TakeOver): Promise<SingleSignOnOutcome>;
}

/** @param personId whose account it is */
export type TakeOver = (personId: string) => Promise<void>;

const PROVIDER = 'oidc';
/** Where the provider sends people back to. */
export const CALLBACK_PATH = '/console/api/single-sign-on/callback';
const NAME_CHARACTERS = 100;
/** Places that only this file sees: how a sign-in ended. */
const ENDED = { known: '/console/known', isNew: '/console/new', refused: '/console/refused' };

export function openSingleSignOnLibrary(settings: SingleSignOnSettings): SingleSignOnLibrary {
  const { publicUrl } = settings;
  const takingOver = new AsyncLocalStorage<TakeOver>();
  const auth = betterAuth(optionsOf(settings, takingOver));
  const { basePath } = libraryOptions(settings);
  return {
    start: async (path) => {
      const to = `?to=${encodeURIComponent(path)}`;
      const { headers, response } = await auth.api.signInSocial({
        body: {
          provider: PROVIDER,
          callbackURL: `${ENDED.known}${to}`,
          newUserCallbackURL: `${ENDED.isNew}${to}`,
          errorCallbackURL: ENDED.refused,
          disableRedirect: true,
        },
        headers: new Headers(),
        returnHeaders: true,
      });
      if (!response.url) throw new Error('the sign-in library made no address to go to');
      return { url: response.url, cookies: headers.getSetCookie() };
    },
    finish: async (search, headers, takeOver) => {
      if (!isReturn(search)) return { kind: 'stray', cookies: [] };
      const url = `${new URL(publicUrl).origin}${basePath}/callback/${PROVIDER}${search}`;
      const cookie = headers.get('cookie') ?? '';
      const request = new Request(url, { headers: { cookie } });
      return outcomeOf(await takingOver.run(takeOver, () => auth.handler(request)));
    },
  };
}

/**
 * @param takingOver has what is to be called for the callback in progress: the library's hooks know
 * no caller
 */
function optionsOf(settings: SingleSignOnSettings, takingOver: AsyncLocalStorage<TakeOver>) {
  const { publicUrl, provider, mayJoin } = settings;
  const options = libraryOptions(settings);
  const onlyInvited = async (person: { email: string; emailVerified: boolean; name: string }) => {
    const { email, emailVerified, name } = person;
    if (!emailVerified)
      throw new APIError('FORBIDDEN', { code: 'email_not_verified', message: email });
    if (!(await mayJoin(email))) {
      throw new APIError('FORBIDDEN', { code: 'invitation_required', message: email });
    }
    return { data: { name: shownName(name, email), image: null } };
  };
  return {
    ...options,
    onAPIError: { errorURL: ENDED.refused },
    databaseHooks: {
      user: { create: { before: onlyInvited } },
      account: {
        create: {
          before: async ({ userId }: { userId: string }) => {
            await takingOver.getStore()?.(userId);
            return { data: NO_TOKENS };
          },
        },
      },
    },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: PROVIDER,
            clientId: provider.clientId,
            clientSecret: provider.clientSecret,
            discoveryUrl: settings.discovered.url,
            requireIdTokenVerification: true,
            redirectURI: `${new URL(publicUrl).origin}${CALLBACK_PATH}`,
            scopes: ['openid', 'email', 'profile'],
            pkce: true,
            accountSubject: ({ profile }) => String(profile.id),
            getUserInfo: ({ idToken, accessToken }) =>
              readProfile({ idToken, accessToken }, settings.discovered),
          },
        ],
      }),
    ],
  };
}

/** What a provider sends may be anything. */
function shownName(name: string, email: string): string {
  const clean = name
    .slice(0, 10 * NAME_CHARACTERS)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return clean.slice(0, NAME_CHARACTERS).toWellFormed().trim() || (email.split('@')[0] ?? email);
}

/**
 * Each parameter once, and with a state: what the library reports as a fault of its own otherwise.
 */
function isReturn(search: string): boolean {
  const names = [...new URLSearchParams(search).keys()];
  return names.includes('state') && new Set(names).size === names.length;
}

function outcomeOf(response: Response): SingleSignOnOutcome {
  const cookies = response.headers.getSetCookie();
  const ended = parsedUrl(response.headers.get('location') ?? '', 'http://localhost');
  const error = ended?.searchParams.get('error');
  const path = ended?.searchParams.get('to');
  const isSignedIn = ended?.pathname === ENDED.known || ended?.pathname === ENDED.isNew;
  if (isSignedIn && !error && path) {
    return { kind: 'signed_in', cookies, isNew: ended.pathname === ENDED.isNew, path };
  }
  if (STATE_FAULTS.has(error ?? '')) return { kind: 'stray', cookies };
  const reason = reasonOf(error ?? '');
  const isOurs = reason === 'email_not_verified' || reason === 'invitation_required';
  const email = isOurs ? (ended?.searchParams.get('error_description') ?? null) : null;
  return { kind: 'refused', cookies, reason, email };
}

function reasonOf(error: string): SingleSignOnRefusal {
  if (error === 'access_denied') return 'cancelled';
  // an account with this address exists, and the provider has not verified that it is the same
  // person
  if (error === 'account_not_linked') return 'email_not_verified';
  return error === 'email_not_verified' || error === 'invitation_required' ? error : 'failed';
}
