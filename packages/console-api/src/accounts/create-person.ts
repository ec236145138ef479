import { isoTime } from '@trawl/base';
import { changeStore } from '@trawl/router';
import type { AccountParts } from './account-parts.ts';

export interface NewAccount {
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly password: string;
  readonly isOperator: boolean;
}

/** Returns the id. Rejects when the address has an account. */
export async function createPerson(
  { store, library, clock }: AccountParts,
  { password, ...person }: NewAccount,
): Promise<string> {
  const passwordHash = await library.hashPassword(password);
  const id = clock.newId();
  const createdAt = isoTime(clock.now());
  await changeStore(() => store.people.create({ ...person, id, passwordHash, createdAt }));
  return id;
}
