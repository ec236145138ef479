import { isoTime } from '@trawl/base';
import type { NewPerson } from '@trawl/store';
import type { AccountParts } from './account-parts.ts';

export interface NewAccount {
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly password: string;
  readonly isOperator: boolean;
}

/** A person to store. Hashing the password takes a while, so it is not done in a transaction. */
export async function newPerson(
  { library, clock }: AccountParts,
  { password, ...person }: NewAccount,
): Promise<NewPerson> {
  const passwordHash = await library.hashPassword(password);
  return { ...person, id: clock.newId(), passwordHash, createdAt: isoTime(clock.now()) };
}
