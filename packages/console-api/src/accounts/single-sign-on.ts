import { isoTime, LATE, within } from '@trawl/base';
import { parsedUrl, type SingleSignOnRefusal } from '@trawl/contract';
import { changeStore, RequestError, readStore } from '@trawl/router';
import type { Person } from '../serving/person.ts';
import type { AccountParts } from './account-parts.ts';
import { discover, type IdentityProvider } from './identity-provider.ts';
import { eventOn } from './invitation-links.ts';
import { sentBack } from './library.ts';
import type { LibrarySettings } from './library-options.ts';
import type { RequestFacts } from './request-facts.ts';
import type { SignIn } from './sign-in.ts';
import { openSingleSignOnLibrary, type SingleSignOnLibrary } from './single-sign-on-library.ts';
import { takeOver } from './take-over.ts';

/** Where a browser goes next. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** Where it ends. */
export interface Return extends Redirect {
  /** Why the sign-in was refused; absent = a session has begun. */
  readonly refused?: SingleSignOnRefusal;
}

/** Signing in by the identity provider of the settings. */
export interface SingleSignOn {
  /** How the sign-in page calls it. */
  readonly label: string;
  /**
   * @param path the page of the console to show afterwards @throws RequestError 429, 503 when the
   * provider does not answer
   */
  start(path: string | undefined, facts: RequestFacts): Promise<Redirect>;
  /**
   * To the page that was wanted, or to the sign-in page with `?error=` and the reason. @throws
   * RequestError 429, 503
   */
  finish(request: Request, facts: RequestFacts): Promise<Return>;
}

export interface SingleSignOnOptions {
  readonly parts: AccountParts;
  readonly library: LibrarySettings & { readonly publicUrl: string };
  readonly provider: IdentityProvider;
  readonly personOf: SignIn['personOf'];
}

const TIME_LIMIT_MS = 15_000;
const HOME = '/console';

export function createSingleSignOn(options: SingleSignOnOptions): SingleSignOn {
  const opened = openWhenAsked(options);
  return {
    label: options.provider.label,
    start: async (path, facts) => {
      await options.parts.limits.start(facts);
      const library = await opened();
      const { url, cookies } = await inTime(options, () => library.start(ownPath(path)));
      return { location: url, cookies };
    },
    finish: (request, facts) =>
      options.parts.limits.finish(
        facts,
        async () => finish(options, await opened(), request, facts),
        ({ refused }) => refused !== undefined,
      ),
  };
}

async function finish(
  options: SingleSignOnOptions,
  library: SingleSignOnLibrary,
  request: Request,
  facts: RequestFacts,
): Promise<Return> {
  const { parts } = options;
  const { search } = new URL(request.url);
  const own = (personId: string) => takeOver(parts, personId, facts);
  const outcome = await inTime(options, () => library.finish(search, request.headers, own));
  const { cookies } = outcome;
  if (outcome.kind === 'signed_in') {
    await welcome(options, outcome, facts);
    return { location: ownPath(outcome.path), cookies };
  }
  // what strangers send is not for the audit log, of which nothing can be deleted
  if (outcome.kind === 'stray') return refusal('failed', cookies);
  const { reason, email } = outcome;
  await parts.trail.record(
    {
      action: 'session.signed_in',
      by: null,
      target: { kind: 'person', name: email },
      refused: reason,
      detail: { way: 'single_sign_on' },
    },
    facts,
  );
  return refusal(reason, cookies);
}

const refusal = (refused: SingleSignOnRefusal, cookies: readonly string[]): Return => ({
  location: `${HOME}/sign-in?error=${refused}`,
  cookies,
  refused,
});

/**
 * The library needs what the provider says about itself. After a failure the next sign-in asks
 * again.
 */
function openWhenAsked(options: SingleSignOnOptions): () => Promise<SingleSignOnLibrary> {
  let opening: Promise<SingleSignOnLibrary> | undefined;
  const open = async (): Promise<SingleSignOnLibrary> => {
    const { provider, library } = options;
    const discovered = await discover(provider);
    const mayJoin = mayJoinOf(options);
    return openSingleSignOnLibrary({ ...library, provider, discovered, mayJoin });
  };
  return () => {
    opening ??= open().catch((cause: unknown) => {
      opening = undefined;
      throw unavailable(options, cause);
    });
    return opening;
  };
}

/**
 * Whether a person without an account may make one: by the domain of the address, or by an open
 * invitation.
 */
const mayJoinOf =
  ({ provider, parts: { store, clock } }: SingleSignOnOptions) =>
  async (email: string): Promise<boolean> => {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    if (provider.domains.includes(domain)) return true;
    const open = await readStore(() => store.invitations.openFor(email, isoTime(clock.now())));
    return open.length > 0;
  };

async function inTime<Value>(
  options: SingleSignOnOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  const done = await within(work(), TIME_LIMIT_MS).catch((cause: unknown) => {
    throw unavailable(options, cause);
  });
  if (done === LATE) throw unavailable(options, new Error('no answer in time'));
  return done;
}

function unavailable({ parts, provider }: SingleSignOnOptions, cause: unknown): RequestError {
  parts.reportFault(cause, 'single sign-on failed');
  return new RequestError(503, `${provider.label} cannot be reached. Try again later.`, {
    headers: { 'retry-after': '5' },
    cause,
  });
}

/**
 * A password link that a person made ends, since its owner did not need it. A new person gets the
 * roles of all open invitations.
 */
async function welcome(
  { parts, personOf }: SingleSignOnOptions,
  { cookies, isNew }: { readonly cookies: readonly string[]; readonly isNew: boolean },
  facts: RequestFacts,
): Promise<void> {
  const { store, trail, clock } = parts;
  await changeStore(() => store.sessions.deleteExpired(isoTime(clock.now())));
  const by: Person | null = await personOf(sentBack(cookies));
  if (!by) throw new Error('the sign-in library made no session');
  await trail.change(facts, async ({ accounts }, record) => {
    await accounts.passwordLinks.end(by.id);
    await record({ action: 'session.signed_in', by, detail: { way: 'single_sign_on' } });
  });
  if (!isNew) return;
  const now = isoTime(clock.now());
  for (const invitation of await readStore(() => store.invitations.openFor(by.email, now))) {
    await trail.change(facts, async ({ accounts }, record) => {
      if (!(await accounts.invitations.accept(invitation.id, by.id, now))) return;
      await record(eventOn('invitation.accepted', by, invitation));
    });
  }
}

/** A page of the console; any other address is replaced by its first page. */
function ownPath(path: string | undefined): string {
  const base = 'http://localhost';
  const url = parsedUrl(path ?? HOME, base);
  const isOwn = url?.origin === base && /^\/console(?:$|\/(?!api(?:\/|$)))/.test(url.pathname);
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : HOME;
}
