import { type Clock, isoTime } from '@trawl/base';
import { mayResetPassword } from '@trawl/contract';
import { RequestError, readStore } from '@trawl/router';
import { commandLineEntry, endEvent } from '@trawl/server';
import type { AccountStore, PersonRecord, Store } from '@trawl/store';
import type { Person } from '../serving/person.ts';
import type { AccountParts } from './account-parts.ts';
import { checkedPassword } from './input-checks.ts';
import { eventOn, personWith, refuse } from './members.ts';
import type { RequestFacts } from './request-facts.ts';
import { newToken, tokenDigest } from './secrets.ts';
import { passwordsAreOff } from './sign-in.ts';

/** A link with which a person sets a new password. It is known here only. */
export interface PasswordLink {
  readonly link: string;
  readonly expiresAt: string;
}

/** Ways back for people who forgot their password. Making and using a link is audited. */
export interface PasswordLinks {
  /**
   * By people who may (`mayResetPassword`), and open while they may. @throws RequestError 400
   * without `PUBLIC_URL`, 403, 404
   */
  make(by: Person, personId: string, facts: RequestFacts): Promise<PasswordLink>;
  /** Whose link it is. @throws RequestError 404 when it is not open (any more), 429 */
  read(token: string, facts: RequestFacts): Promise<PersonRecord>;
  /** All sessions and logins for `/mcp` of the person end. @throws RequestError 404, 422, 429 */
  use(
    given: { readonly token: string; readonly password: string },
    facts: RequestFacts,
  ): Promise<void>;
}

const VALID_MS = 3_600_000;

/** The token is behind `#`, so that browsers do not send it and no server logs it. */
const linkOf = (token: string, publicUrl: string): string =>
  `${publicUrl}/console/password#${token}`;

/** A new link in the store; the one before it ends. null when its maker may not make it. */
async function replaceLink(
  { passwordLinks }: Pick<AccountStore, 'passwordLinks'>,
  of: { readonly personId: string; readonly madeBy: string | null },
  clock: Clock,
): Promise<{ readonly token: string; readonly expiresAt: string } | null> {
  const token = newToken();
  const now = clock.now();
  const expiresAt = isoTime(now + VALID_MS);
  const link = { ...of, digest: tokenDigest(token), expiresAt };
  return (await passwordLinks.replace(link, isoTime(now))) ? { token, expiresAt } : null;
}

/**
 * The link of the command line, for anybody.
 * @param email in any case
 * @returns null when the address has no account
 */
export async function createPasswordLink(
  store: Pick<Store, 'accounts' | 'changing'>,
  { email, publicUrl }: { readonly email: string; readonly publicUrl: string },
  clock: Clock,
): Promise<PasswordLink | null> {
  const person = await store.accounts.people.findByEmail(email.toLowerCase());
  if (!person) return null;
  const event = eventOn('password_link.created', null, person);
  return store.changing(async ({ accounts }) => {
    const made = await replaceLink(accounts, { personId: person.id, madeBy: null }, clock);
    if (!made) return null;
    await accounts.audit.write(commandLineEntry(event, clock));
    return { link: linkOf(made.token, publicUrl), expiresAt: made.expiresAt };
  });
}

export function createPasswordLinks(
  parts: AccountParts,
  publicUrl: string | undefined,
): PasswordLinks {
  const { store, clock, library, limits, trail } = parts;
  const now = () => isoTime(clock.now());
  /** A right link cannot be guessed: only wrong ones are limited. */
  const personOf = async (token: string, facts: RequestFacts): Promise<PersonRecord> => {
    const id = await readStore(() => store.passwordLinks.find(tokenDigest(token), now()));
    const person = id && (await readStore(() => store.people.find(id)));
    if (person) return person;
    limits.wrongLink(facts);
    throw notOpen();
  };
  return {
    make: async (by, personId, facts) => {
      if (parts.isSingleSignOnOnly) throw passwordsAreOff();
      if (publicUrl === undefined) throw needsPublicUrl();
      const person = await personWith(parts, personId);
      const event = eventOn('password_link.created', by, person);
      const roles = await readStore(() => store.members.rolesOf(personId));
      const refused = whyNot(by, person, roles);
      if (refused !== undefined) await refuse(parts, event, refused, facts);
      const of = { personId, madeBy: by.id };
      const made = await trail.change(facts, async ({ accounts }, record) => {
        const link = await replaceLink(accounts, of, clock);
        if (link) await record(event);
        return link;
      });
      if (!made) return refuse(parts, event, 'A role was changed meanwhile', facts);
      return { link: linkOf(made.token, publicUrl), expiresAt: made.expiresAt };
    },
    read: personOf,
    use: async ({ token, password }, facts) => {
      if (parts.isSingleSignOnOnly) throw passwordsAreOff();
      checkedPassword(password);
      const person = await personOf(token, facts);
      const hash = await library.hashPassword(password);
      const isUsed = await trail.change(facts, async ({ accounts, logins }, record) => {
        const used = await accounts.passwordLinks.use(tokenDigest(token), hash, now());
        if (!used) return false;
        const event = eventOn('password_link.used', person, person);
        await record({ ...event, detail: { email: person.email, sessions: used.sessions } });
        // who knew the old password may have let a program log in
        for (const login of await logins.endOf({ personId: person.id }, 'all', now())) {
          await record({ ...endEvent(login, event.action), by: person });
        }
        return true;
      });
      if (!isUsed) throw notOpen();
    },
  };
}

const notOpen = (): RequestError =>
  new RequestError(
    404,
    'This link does not exist, was used or replaced, or has ended: ask for a new one',
  );

/** A link with the name of a request could send people to a stranger's page. */
const needsPublicUrl = (): RequestError =>
  new RequestError(
    400,
    'PUBLIC_URL is not set, so the address of this deployment is not known: set it, or run `trawl console reset` on its machine',
  );

/** @param roles of the person, by project */
function whyNot(by: Person, person: PersonRecord, roles: Person['roles']): string | undefined {
  if (by.id === person.id) return 'Change your own password on the page of your account';
  if (person.isOperator) {
    return 'The link of an operator is made by `trawl console reset` on the machine of the server';
  }
  const hasSingleSignOn = person.signsInBy.includes('single_sign_on');
  if (mayResetPassword(by, { ...person, roles, hasSingleSignOn })) return undefined;
  return hasSingleSignOn
    ? 'This person signs in by single sign-on: only an operator makes a link'
    : 'This person has a project that you do not administer, or a higher role: ask an operator';
}
