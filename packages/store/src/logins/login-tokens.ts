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
/** How long a used code is known as such. */
const KEPT_MS = DAY_MS;

type Token = Selectable<LoginTokensTable>;

/** Exchanges a code. @param at the time of the database */
export async function useCode(
  transaction: Transaction<Tables>,
  { codeDigest, client, redirectUri, challenge, ...made }: CodeUse,
  at: string,
): Promise<TokenOutcome> {
  const token = await tokenOf(transaction, codeDigest, 'code', client);
  if (!token) return refusal('unknown');
  await lockLogin(transaction, token.key_id);
  // the one who sends it does not have the verifier: the code stays for the one who does
  if (token.redirect_uri !== redirectUri || token.challenge !== challenge)
    return refusal('mismatch');
  if (!(await takeOnce(transaction, codeDigest, at))) {
    const isUsed = (await usedAt(transaction, codeDigest)) !== null;
    return isUsed ? ended(transaction, token.key_id, 'used_twice', at) : refusal('expired');
  }
  return issue(transaction, token.key_id, made, at);
}

/** Exchanges a refresh token. @param at the time of the database */
export async function useRefresh(
  transaction: Transaction<Tables>,
  { refreshDigest, client, ...made }: RefreshUse,
  at: string,
): Promise<TokenOutcome> {
  const token = await tokenOf(transaction, refreshDigest, 'refresh', client);
  if (!token) return refusal('unknown');
  const { key_id: keyId } = token;
  await lockLogin(transaction, keyId);
  if (await takeOnce(transaction, refreshDigest, at)) return issue(transaction, keyId, made, at);
  const before = await usedAt(transaction, refreshDigest);
  if (before === null) return refusal('expired');
  if (Date.parse(at) - Date.parse(before) <= REPEAT_MS) return refusal('used');
  return ended(transaction, keyId, 'used_twice', at);
}

/** Ends the login that a token belongs to, whatever kind it is. */
export async function endByToken(
  transaction: Transaction<Tables>,
  { digest, client }: { readonly digest: string; readonly client: string },
  at: string,
) {
  for (const kind of ['refresh', 'access'] as const) {
    const token = await tokenOf(transaction, digest, kind, client);
    if (token) return endLogin(transaction, token.key_id, at);
  }
  return undefined;
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

/** A code or token of this client. */
async function tokenOf(
  transaction: Transaction<Tables>,
  digest: string,
  kind: Token['kind'],
  client: string,
): Promise<Token | undefined> {
  return transaction
    .selectFrom('login_tokens')
    .innerJoin('api_keys', 'api_keys.id', 'login_tokens.key_id')
    .selectAll('login_tokens')
    .where('login_tokens.digest', '=', digest)
    .where('kind', '=', kind)
    .where('login_client', '=', client)
    .executeTakeFirst();
}

/** Before its tokens, as where a login ends, so that neither waits for the other. */
async function lockLogin(transaction: Transaction<Tables>, keyId: string): Promise<void> {
  await transaction.updateTable('api_keys').set({ id: keyId }).where('id', '=', keyId).execute();
}

/** Of two uses at the same time, the second waits for the row of the first, and is too late. */
async function takeOnce(
  transaction: Transaction<Tables>,
  digest: string,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('login_tokens')
    .set({ used_at: at })
    .where('digest', '=', digest)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0;
}

async function usedAt(transaction: Transaction<Tables>, digest: string): Promise<string | null> {
  const row = await transaction
    .selectFrom('login_tokens')
    .select('used_at')
    .where('digest', '=', digest)
    .executeTakeFirst();
  return row?.used_at ?? null;
}

/** New tokens, if the person may still have the login. */
async function issue(
  transaction: Transaction<Tables>,
  keyId: string,
  { newAccess, newRefresh }: Pick<CodeUse, 'newAccess' | 'newRefresh'>,
  at: string,
): Promise<TokenOutcome> {
  const standing = await standingOf(transaction, keyId);
  if (!standing || !isUsable(standing.key)) return refusal('unknown');
  const lost = lostBy(standing);
  if (lost) return ended(transaction, keyId, lost, at);
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
  await transaction
    .deleteFrom('login_tokens')
    .where('expires_at', '<', isoTime(Date.parse(at) - KEPT_MS))
    .execute();
  const scopes = LOGIN_SCOPES.filter((scope) => standing.key.permissions.includes(scope));
  return { outcome: 'issued', scopes };
}

/** Its end by time is that of its tokens. */
const isUsable = ({ revokedAt, disabledAt }: ApiKey): boolean =>
  revokedAt === null && disabledAt === null;
