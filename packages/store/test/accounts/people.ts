import { randomUUID } from 'node:crypto';
import { at } from '@trawl/test-support/records';
import type { Store } from '../../src/opening/store.ts';

/** Adds a person as the sign-in library does, and returns the id. */
export async function newPerson(
  { accounts }: Store,
  given: { readonly name?: string; readonly email?: string; readonly isOperator?: boolean } = {},
): Promise<string> {
  const id = randomUUID();
  const { db, type } = accounts.database;
  const isEmbedded = type === 'sqlite';
  const time = isEmbedded ? at(0) : new Date(at(0));
  await db
    .insertInto('console_users')
    .values({
      id,
      name: given.name ?? `person ${id}`,
      email: given.email ?? `${id}@example.com`,
      email_verified: isEmbedded ? 0 : false,
      image: null,
      created_at: time,
      updated_at: time,
      is_operator: given.isOperator ? 1 : 0,
    })
    .execute();
  return id;
}

/** Makes the person a member by an invitation. */
export async function join(
  { accounts: { invitations } }: Store,
  personId: string,
  as: { readonly projectId: string; readonly role: 'viewer' | 'member' | 'admin' | 'owner' },
): Promise<void> {
  const id = randomUUID();
  const email = `${id}@example.com`;
  const times = { createdAt: at(0), expiresAt: at(100) };
  await invitations.create({ ...as, ...times, id, email, createdBy: null }, randomUUID());
  await invitations.accept(id, personId, at(1));
}
