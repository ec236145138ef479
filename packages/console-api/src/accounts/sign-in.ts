import { isoTime } from '@trawl/base';
import { changeStore, RequestError, readStore } from '@trawl/router';
import type { Person } from '../serving/person.ts';
import type { AccountParts } from './account-parts.ts';
import { checkedEmail, checkedName, checkedPassword, readEmail } from './input-checks.ts';
import type { Cookies, Credentials } from './library.ts';
import { newPerson } from './new-person.ts';
import type { RequestFacts } from './request-facts.ts';
import { codeDigest } from './secrets.ts';

export interface SetUpInput {
  readonly code: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface SignIn {
  /** Passwords are switched off. */
  readonly isSingleSignOnOnly: boolean;
  /** Whether no account exists yet. */
  needsSetup(): Promise<boolean>;
  /**
   * Makes the first account, an operator, and signs it in. @throws RequestError 403 for a wrong or
   * used code, 429 after too many
   */
  setUp(input: SetUpInput, facts: RequestFacts): Promise<Cookies>;
  /** @throws RequestError 401 for a wrong address or password, 429 after too many attempts */
  signIn(given: Credentials, facts: RequestFacts): Promise<Cookies>;
  /** Ends the session of the cookie, if there is one. */
  signOut(headers: Headers, facts: RequestFacts): Promise<Cookies>;
  /**
   * The person of the session cookie; null without a session in force. Does not extend the session.
   */
  personOf(headers: Headers): Promise<Person | null>;
  /** Extends the session of the cookie once a day. Empty on other calls. */
  extend(headers: Headers): Promise<Cookies>;
}

const WRONG_PASSWORD = 'Wrong e-mail or password';
const WRONG_CODE =
  'The code is wrong, or was used or replaced. Run "trawl console code" on the server\'s machine for a new one';

export function createSignIn(parts: AccountParts): SignIn {
  const { store, library, trail, limits } = parts;
  const personOf = createPersonReader(parts);
  return {
    isSingleSignOnOnly: parts.isSingleSignOnOnly,
    needsSetup: () => readStore(() => store.people.isEmpty()),
    setUp: (input, facts) => setUp(parts, input, facts),
    signIn: async (given, facts) => {
      if (parts.isSingleSignOnOnly) throw passwordsAreOff();
      return limits.password(given.email, facts, () => signIn(parts, given, facts));
    },
    signOut: async (headers, facts) => {
      const by = await personOf(headers);
      const cookies = await library.signOut(headers);
      if (by) await trail.record({ action: 'session.signed_out', by }, facts);
      return cookies;
    },
    personOf,
    extend: (headers) => library.extend(headers),
  };
}

export const passwordsAreOff = (): RequestError =>
  new RequestError(403, 'Passwords are switched off on this server: use single sign-on');

function createPersonReader({ library, store }: AccountParts): SignIn['personOf'] {
  return async (headers) => {
    if (!headers.has('cookie')) return null;
    const session = await library.session(headers);
    if (!session) return null;
    const { person, id, expiresAt } = session;
    const roles = await readStore(() => store.members.rolesOf(person.id));
    return { ...person, sessionId: id, expiresAt, roles };
  };
}

async function setUp(
  parts: AccountParts,
  input: SetUpInput,
  facts: RequestFacts,
): Promise<Cookies> {
  const { store, trail, clock, limits } = parts;
  const [name, email] = [checkedName(input.name), checkedEmail(input.email)];
  const password = checkedPassword(input.password);
  const digest = codeDigest(input.code);
  const now = isoTime(clock.now());
  if (!(await changeStore(() => store.setupCode.use(digest, now)))) {
    limits.wrongCode(facts);
    await trail.record({ action: 'setup.completed', by: null, refused: 'wrong code' }, facts);
    throw new RequestError(403, WRONG_CODE);
  }
  const by = await newPerson(parts, { name, email, password, isOperator: true });
  await trail.change(facts, async ({ accounts }, record) => {
    await accounts.people.create(by);
    const target = { kind: 'person', id: by.id, name };
    await record({ action: 'setup.completed', by, target });
  });
  return signInNew(parts, { email, password }, facts);
}

/** Signs in to an account that was made just now. */
export async function signInNew(
  { library }: AccountParts,
  given: Credentials,
  facts: RequestFacts,
): Promise<Cookies> {
  const signedIn = await library.signIn(given, facts);
  if (!signedIn) throw new Error('a new account cannot sign in');
  return signedIn.cookies;
}

async function signIn(
  { store, library, trail, clock }: AccountParts,
  given: Credentials,
  facts: RequestFacts,
): Promise<Cookies> {
  const email = readEmail(given.email);
  const signedIn =
    email === undefined ? null : await library.signIn({ email, password: given.password }, facts);
  const action = 'session.signed_in';
  if (!signedIn) {
    // what is not an address may be a password in the wrong field
    const target = { kind: 'person', name: email ?? null };
    await trail.record({ action, by: null, target, refused: WRONG_PASSWORD }, facts);
    throw new RequestError(401, WRONG_PASSWORD);
  }
  await changeStore(() => store.sessions.deleteExpired(isoTime(clock.now())));
  const by = await readStore(() => store.people.find(signedIn.personId));
  await trail.record({ action, by: by ?? null, detail: { way: 'password' } }, facts);
  return signedIn.cookies;
}
