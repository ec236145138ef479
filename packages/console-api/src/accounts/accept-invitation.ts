import { isoTime } from '@trawl/base';
import { RequestError, readStore } from '@trawl/router';
import type { InvitationRecord, PersonRecord } from '@trawl/store';
import type { Person } from '../serving/person.ts';
import type { AccountParts } from './account-parts.ts';
import { checkedName, checkedPassword } from './input-checks.ts';
import { eventOn } from './invitation-links.ts';
import type { Cookies } from './library.ts';
import { newPerson } from './new-person.ts';
import type { RequestFacts } from './request-facts.ts';
import { tokenDigest } from './secrets.ts';
import { passwordsAreOff, signInNew } from './sign-in.ts';

/** An invitation as the invited person sees it. */
export interface OpenInvitation {
  readonly invitation: InvitationRecord;
  /** The person has an account, and accepts by signing in. */
  readonly hasAccount: boolean;
}

export interface AcceptInvitation {
  /** @throws RequestError 404 for a token that is unknown, used, revoked or expired */
  read(token: string): Promise<OpenInvitation>;
  /**
   * Makes an account, which gets the role, and signs it in. @throws RequestError 400 when there is
   * one, 404, 422
   */
  acceptAsNew(
    given: { readonly token: string; readonly name: string; readonly password: string },
    facts: RequestFacts,
  ): Promise<Cookies>;
  /**
   * The signed-in person gets the role. @throws RequestError 403 for the invitation of another
   * address, 404
   */
  acceptAs(person: Person, token: string, facts: RequestFacts): Promise<void>;
}

export function createAcceptInvitation(parts: AccountParts): AcceptInvitation {
  return {
    read: async (token) => {
      const invitation = await openInvitation(parts, token);
      const person = await personOf(parts, invitation.email);
      return { invitation, hasAccount: person !== undefined };
    },
    acceptAsNew: (given, facts) => acceptAsNew(parts, given, facts),
    acceptAs: async (by, token, facts) => {
      const invitation = await openInvitation(parts, token);
      const event = eventOn('invitation.accepted', by, invitation);
      if (invitation.email !== by.email) {
        await parts.trail.record({ ...event, refused: 'made for another address' }, facts);
        throw new RequestError(
          403,
          `This invitation is for ${invitation.email}, and you are signed in as ${by.email}`,
        );
      }
      const now = isoTime(parts.clock.now());
      await parts.trail.change(facts, async ({ accounts }, record) => {
        if (!(await accounts.invitations.accept(invitation.id, by.id, now))) throw notOpen();
        await record(event);
      });
    },
  };
}

const notOpen = (): RequestError =>
  new RequestError(
    404,
    'This invitation does not exist, was used or revoked, or has expired: ask for a new one',
  );

async function openInvitation(
  { store, clock }: AccountParts,
  token: string,
): Promise<InvitationRecord> {
  const found = await readStore(() => store.invitations.findByToken(tokenDigest(token)));
  const isOpen =
    found &&
    found.acceptedAt === null &&
    found.revokedAt === null &&
    found.expiresAt > isoTime(clock.now());
  if (!isOpen) throw notOpen();
  return found;
}

const personOf = ({ store }: AccountParts, email: string): Promise<PersonRecord | undefined> =>
  readStore(() => store.people.findByEmail(email));

async function acceptAsNew(
  parts: AccountParts,
  given: { readonly token: string; readonly name: string; readonly password: string },
  facts: RequestFacts,
): Promise<Cookies> {
  if (parts.isSingleSignOnOnly) throw passwordsAreOff();
  const { trail } = parts;
  const name = checkedName(given.name);
  const password = checkedPassword(given.password);
  const invitation = await openInvitation(parts, given.token);
  const { email } = invitation;
  if (await personOf(parts, email)) throw hasAccount();
  const account = { name, email, password, isOperator: false };
  const person = await newPerson(parts, account);
  const event = eventOn('invitation.accepted', person, invitation);
  const accepting = trail.change(facts, async ({ accounts }, record) => {
    await accounts.people.create(person);
    const { id, createdAt } = person;
    if (!(await accounts.invitations.accept(invitation.id, id, createdAt))) throw notOpen();
    await record(event);
  });
  await accepting.catch(async (error: unknown) => {
    // of two that accept it at the same time, the second finds the account of the first
    throw (await personOf(parts, email)) ? hasAccount() : error;
  });
  return signInNew(parts, { email, password }, facts);
}

const hasAccount = (): RequestError =>
  new RequestError(400, 'You have an account already: sign in, then open the link again');
