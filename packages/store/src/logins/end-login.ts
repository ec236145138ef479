import type { Tables } from '@trawl/database';
import type { Transaction } from 'kysely';
import { bumpRevision } from '../keys/revision.ts';
import type { EndedLogin } from './login-records.ts';
import { lostBy, standingOf } from './login-standing.ts';

/**
 * Ends a login with its tokens; its key stays in the lists. Its code stays too, so that the consent
 * is not given again by a page that is loaded again.
 * @param at the time of the database
 * @returns undefined = it was over
 */
export async function endLogin(
  transaction: Transaction<Tables>,
  keyId: string,
  at: string,
): Promise<EndedLogin | undefined> {
  const login = await transaction
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', keyId)
    .where('login_client', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['id', 'name', 'project_id', 'login_client', 'created_by'])
    .executeTakeFirst();
  if (!login) return undefined;
  await transaction
    .deleteFrom('login_tokens')
    .where('key_id', '=', keyId)
    .where('kind', '!=', 'code')
    .execute();
  await bumpRevision(transaction);
  return {
    id: login.id,
    name: login.name,
    projectId: login.project_id,
    client: login.login_client ?? '',
    personId: login.created_by ?? '',
  };
}

/** Ends those that are not over. */
export async function endLogins(
  transaction: Transaction<Tables>,
  logins: readonly { readonly id: string }[],
  at: string,
): Promise<readonly EndedLogin[]> {
  const ended: EndedLogin[] = [];
  for (const { id } of logins) {
    const login = await endLogin(transaction, id, at);
    if (login) ended.push(login);
  }
  return ended;
}

/** Whose logins are looked at. */
export type LoginsOf = { readonly personId: string } | { readonly projectId: string };

/**
 * Ends logins of a person or project: all, or those that the role or the setting does not allow any
 * more. To be called in the transaction that changes these, so that what is given and taken back
 * ends them too.
 */
export async function endLoginsOf(
  transaction: Transaction<Tables>,
  of: LoginsOf,
  which: 'all' | 'not_allowed',
  at: string,
): Promise<readonly EndedLogin[]> {
  const living = transaction
    .selectFrom('api_keys')
    .select('id')
    .where('login_client', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at);
  const logins = await ('personId' in of
    ? living.where('created_by', '=', of.personId)
    : living.where('project_id', '=', of.projectId)
  ).execute();
  const lost: typeof logins = [];
  for (const login of logins) {
    const standing = await standingOf(transaction, login.id);
    if (which === 'all' || !standing || lostBy(standing)) lost.push(login);
  }
  return endLogins(transaction, lost, at);
}
