import { DAY_MS, HOUR_MS, isoTime } from '@trawl/base';
import { LOGIN_SCOPES } from '@trawl/contract';
import type { LoginTokensTable, Tables } from '@trawl/database';
import type { ApiKey } from '@trawl/router';
import type { Selectable, Transaction } from 'kysely';
import { endLogin } from './end-login.ts';
import type { CodeUse, LoginEnd, RefreshUse, TokenFault, TokenOutcome } from './login-records.ts';
import { lostBy, standingOf } from './login-standing.ts';

export const CODE_MS = 60_000;
const ACCESS_MS = HOUR_MS;
const REFRESH_MS = 30 * DAY_MS;
/** A client that got no answer may send its refresh token once more in this time. */
const REPEAT_MS = 30_000;

type Token = Selectable<LoginTokensTable>;

/** Exchanges a code. @param at the time of the database */
export async function useCode(
  transaction: Transaction<Tables>,
  { codeDigest, client, redirectUri, challenge, ...made }: CodeUse,
  at: string,
): Promise<TokenOutcome> {
  const token = await lockedToken(transaction, { digest: codeDigest, kind: 'code', client });
  if (!token) return refusal('unknown');
  // the one who sends it does not have the verifier: the code stays for the one who does
  if (token.redirect_uri !== redirectUri || token.challenge !== challenge)
    return refusal('mismatch');
  return exchange(transaction, token, made, at);
}

/** Exchanges a refresh token. @param at the time of the database */
export async function useRefresh(
  transaction: Transaction<Tables>,
  { refreshDigest, client, ...made }: RefreshUse,
  at: string,
): Promise<TokenOutcome> {
  const sent = { digest: refreshDigest, kind: 'refresh', client } as const;
  const token = await lockedToken(transaction, sent);
  return token ? exchange(transaction, token, made, at) : refusal('unknown');
}

/** Ends the login that an access or refresh token belongs to. */
export async function endByToken(
  transaction: Transaction<Tables>,
  { digest, client }: { readonly digest: string; readonly client: string },
  at: string,
) {
  const token = await transaction
    .selectFrom('login_tokens')
    .innerJoin('api_keys', 'api_keys.id', 'login_tokens.key_id')
    .select('key_id')
    .where('login_tokens.digest', '=', digest)
    .where('kind', '!=', 'code')
    .where('login_client', '=', client)
    .executeTakeFirst();
  return token && endLogin(transaction, token.key_id, at);
}

const refusal = (fault: TokenFault): TokenOutcome => ({
  outcome: 'refused',
  fault,
});

async function ended(
  transaction: Transaction<Tables>,
  keyId: string,
  why: LoginEnd,
  at: string,
): Promise<TokenOutcome> {
  return { outcome: 'ended', why, login: await endLogin(transaction, keyId, at) };
}

/**
 * A code or token of this client. Its login is locked first, as where a login ends, so that neither
 * waits for the other; of two uses at the same time, the second reads what the first has written.
 */
async function lockedToken(
  transaction: Transaction<Tables>,
  { digest, kind, client }: Pick<Token, 'digest' | 'kind'> & { readonly client: string },
): Promise<Token | undefined> {
  const token = transaction
    .selectFrom('login_tokens')
    .where('digest', '=', digest)
    .where('kind', '=', kind);
  const { numUpdatedRows } = await transaction
    .updateTable('api_keys')
    .set({ login_client: client })
    .where('id', '=', token.select('key_id'))
    .where('login_client', '=', client)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? token.selectAll().executeTakeFirst() : undefined;
}

/** New tokens for one that was not used, if the person may still have the login. */
async function exchange(
  transaction: Transaction<Tables>,
  { digest, kind, key_id: keyId, used_at: usedAt, expires_at: expiresAt }: Token,
  { newAccess, newRefresh }: Pick<CodeUse, 'newAccess' | 'newRefresh'>,
  at: string,
): Promise<TokenOutcome> {
  const standing = await standingOf(transaction, keyId);
  // what is refused here is not used up: a key that is enabled again goes on
  if (!standing || !isUsable(standing.key)) return refusal('unknown');
  if (usedAt !== null) {
    const isRepeat = kind === 'refresh' && Date.parse(at) - Date.parse(usedAt) <= REPEAT_MS;
    return isRepeat ? refusal('used') : ended(transaction, keyId, 'used_twice', at);
  }
  if (expiresAt <= at || (standing.key.expiresAt ?? at) <= at) return refusal('expired');
  const lost = lostBy(standing);
  if (lost) return ended(transaction, keyId, lost, at);
  await transaction
    .updateTable('login_tokens')
    .set({ used_at: at })
    .where('digest', '=', digest)
    .execute();
  const later = (ms: number) => isoTime(Date.parse(at) + ms);
  const row = { key_id: keyId, used_at: null, redirect_uri: null, challenge: null };
  await transaction
    .insertInto('login_tokens')
    .values([
      { ...row, digest: newAccess, kind: 'access', expires_at: later(ACCESS_MS) },
      { ...row, digest: newRefresh, kind: 'refresh', expires_at: later(REFRESH_MS) },
    ])
    .execute();
  // a login that is not used any more ends as keys do
  await transaction
    .updateTable('api_keys')
    .set({ expires_at: later(REFRESH_MS) })
    .where('id', '=', keyId)
    .execute();
  const scopes = LOGIN_SCOPES.filter((scope) => standing.key.permissions.includes(scope));
  return { outcome: 'issued', scopes };
}

const isUsable = ({ revokedAt, disabledAt }: ApiKey): boolean =>
  revokedAt === null && disabledAt === null;

/**
 * Forgets tokens a day after their end. A login whose code was never exchanged leaves the lists,
 * and is not in the way where its project is deleted.
 */
export async function sweepTokens(transaction: Transaction<Tables>, nowMs: number): Promise<void> {
  const before = isoTime(nowMs - DAY_MS);
  const over = transaction.selectFrom('login_tokens').where('expires_at', '<', before);
  // keys before tokens, as everywhere
  await transaction
    .updateTable('api_keys')
    .set({ deleted_at: isoTime(nowMs) })
    .where('deleted_at', 'is', null)
    .where(
      'id',
      'in',
      over.select('key_id').where('kind', '=', 'code').where('used_at', 'is', null),
    )
    .execute();
  await transaction.deleteFrom('login_tokens').where('expires_at', '<', before).execute();
}
