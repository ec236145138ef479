import { type Clock, isoTime } from '@trawl/base';
import { changeStore } from '@trawl/router';
import type { CodeUse, LoginStore, Store, TokenFault, TokenOutcome } from '@trawl/store';
import { endEntry } from '../admin/login-end.ts';
import { challengeOf, newSecret, secretDigest } from '../auth/login-secrets.ts';
import {
  type Form,
  refusal,
  type TokenAnswer,
  type TokenRefusal,
  type TokenRequests,
  type TokenSender,
} from '../auth/token-answer.ts';
import type { LoginPlace } from '../config/login-place.ts';
import { isClientId } from './client-document.ts';

export interface TokenRequestOptions {
  readonly store: Pick<Store, 'changing'>;
  readonly place: LoginPlace;
  readonly clock: Clock;
}

type NewTokens = Pick<CodeUse, 'newAccess' | 'newRefresh'>;
type Use = (logins: LoginStore, made: NewTokens, now: string) => Promise<TokenOutcome>;

const ACCESS_SECONDS = 3_600;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** What clients do with codes and tokens. */
export function createTokenRequests({ store, place, clock }: TokenRequestOptions): TokenRequests {
  const now = () => isoTime(clock.now());
  const issue = async (use: Use, request: TokenSender): Promise<TokenAnswer> => {
    const [access, refresh] = [newSecret('access', place), newSecret('refresh', place)];
    const made = { newAccess: access.digest, newRefresh: refresh.digest };
    const outcome = await changeStore(() =>
      store.changing(async ({ logins, accounts }) => {
        const done = await use(logins, made, now());
        if (done.outcome === 'ended' && done.login) {
          await accounts.audit.write(endEntry(done.login, done.why, { clock, request }));
        }
        return done;
      }),
    );
    if (outcome.outcome !== 'issued') return grantRefused(outcome);
    return {
      access_token: access.text,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: refresh.text,
      scope: outcome.scopes.join(' '),
    };
  };
  return {
    token: async (form: Form, request: TokenSender): Promise<TokenAnswer> => {
      const use = tokenUse(form, place);
      return typeof use === 'function' ? issue(use, request) : use;
    },
    revoke: async (form: Form, request: TokenSender): Promise<TokenRefusal | undefined> => {
      const client = clientIn(form);
      if (typeof client !== 'string') return client;
      const token = form.get('token');
      if (!token) return refusal('invalid_request', 'token is missing');
      await changeStore(() =>
        store.changing(async ({ logins, accounts }) => {
          const login = await logins.endByToken(
            { digest: secretDigest(token, place), client },
            now(),
          );
          if (login) await accounts.audit.write(endEntry(login, 'client', { clock, request }));
        }),
      );
      return undefined;
    },
  };
}

function clientIn(form: Form): string | TokenRefusal {
  const client = form.get('client_id');
  if (!client) return refusal('invalid_client', 'client_id is missing');
  return isClientId(client) ? client : refusal('invalid_request', 'client_id cannot be an id');
}

/** What a request of the token route wants to use. */
function tokenUse(form: Form, place: LoginPlace): Use | TokenRefusal {
  const client = clientIn(form);
  if (typeof client !== 'string') return client;
  if ((form.get('resource') ?? place.resource) !== place.resource) {
    return refusal('invalid_target', `resource must be ${place.resource}`);
  }
  const grant = form.get('grant_type');
  if (grant === 'authorization_code') return codeUse(form, client, place);
  if (grant === 'refresh_token') return refreshUse(form, client, place);
  const known = 'grant_type must be authorization_code or refresh_token';
  return refusal(grant === undefined ? 'invalid_request' : 'unsupported_grant_type', known);
}

function codeUse(form: Form, client: string, place: LoginPlace): Use | TokenRefusal {
  const [code, redirectUri] = [form.get('code'), form.get('redirect_uri')];
  const verifier = form.get('code_verifier');
  if (!code || !redirectUri || !verifier) {
    return refusal('invalid_request', 'code, redirect_uri and code_verifier are needed');
  }
  if (!VERIFIER.test(verifier)) return refusal('invalid_grant', FAULTS.mismatch);
  const codeDigest = secretDigest(code, place);
  const challenge = challengeOf(verifier);
  return (logins, made, now) =>
    logins.useCode({ codeDigest, client, redirectUri, challenge, ...made }, now);
}

function refreshUse(form: Form, client: string, place: LoginPlace): Use | TokenRefusal {
  const token = form.get('refresh_token');
  if (!token) return refusal('invalid_request', 'refresh_token is missing');
  // a scope asked for here changes nothing: the answer says what there is (RFC 6749, section 3.3)
  const refreshDigest = secretDigest(token, place);
  return (logins, made, now) => logins.useRefresh({ refreshDigest, client, ...made }, now);
}

const FAULTS: Readonly<Record<TokenFault, string>> = {
  unknown: 'it is not known, is over, or is of another client',
  expired: 'it has expired',
  used: 'it was used a moment ago',
  mismatch: 'code_verifier or redirect_uri is not that of the request',
};

function grantRefused(outcome: Exclude<TokenOutcome, { outcome: 'issued' }>): TokenRefusal {
  if (outcome.outcome === 'refused') return refusal('invalid_grant', FAULTS[outcome.fault]);
  const why =
    outcome.why === 'used_twice'
      ? 'it was used before, so the login has ended'
      : 'the person may not have the login any more, so it has ended';
  return refusal('invalid_grant', why);
}
