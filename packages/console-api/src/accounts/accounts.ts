import type { Clock, ReportFault } from '@trawl/base';
import type { Store } from '@trawl/store';
import { type AcceptInvitation, createAcceptInvitation } from './accept-invitation.ts';
import type { AccountParts } from './account-parts.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';
import { createDevices } from './devices.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createInvitationLinks, type InvitationLinks } from './invitation-links.ts';
import { type Cookies, openLibrary, sentBack } from './library.ts';
import type { Passwords } from './library-options.ts';
import { createMemberChanges, type MemberChanges } from './members.ts';
import { createOwnAccount, type OwnAccount } from './own-account.ts';
import { createPasswordLinks, type PasswordLinks } from './password-links.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSignInLimits } from './sign-in-limits.ts';
import { createSingleSignOn, type SingleSignOn } from './single-sign-on.ts';

export interface AccountsOptions {
  readonly store: Pick<Store, 'accounts' | 'changing'>;
  /** Signs the cookies. */
  readonly secret: string;
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
  readonly reportFault: ReportFault;
  /** Single sign-on; undefined = it is not set up. */
  readonly provider?: IdentityProvider | undefined;
  /** People sign in by single sign-on only. Default false. */
  readonly isSingleSignOnOnly?: boolean;
  readonly passwords?: Passwords | undefined;
}

/** The people of the console: how they sign in, and what they may. */
export interface Accounts {
  readonly signIn: SignIn;
  readonly own: OwnAccount;
  readonly members: MemberChanges;
  readonly invitations: InvitationLinks;
  readonly accept: AcceptInvitation;
  readonly passwordLinks: PasswordLinks;
  readonly audit: AuditTrail;
  /** undefined = it is not set up. */
  readonly singleSignOn: SingleSignOn | undefined;
  /**
   * The cookies of a sign-in, with one by which the device is known from then on. Without a session
   * they stay as they are.
   */
  remember(cookies: Cookies): Promise<Cookies>;
}

/** This loads the library that signs people in. */
export function openAccounts(options: AccountsOptions): Accounts {
  const { clock, reportFault, isSingleSignOnOnly = false } = options;
  const store = options.store.accounts;
  const settings = { ...options, database: store.database };
  const library = openLibrary(settings);
  const trail = createAuditTrail(options.store, clock);
  const devices = createDevices({ ...options, store, library });
  const limits = createSignInLimits(clock, devices);
  const ways = { library, limits, isSingleSignOnOnly };
  const parts: AccountParts = { store, trail, clock, reportFault, ...ways };
  const signIn = createSignIn(parts);
  const { provider, publicUrl } = options;
  const { personOf } = signIn;
  return {
    signIn,
    own: createOwnAccount(parts),
    members: createMemberChanges(parts),
    invitations: createInvitationLinks(parts),
    accept: createAcceptInvitation(parts),
    passwordLinks: createPasswordLinks(parts, publicUrl),
    audit: trail,
    remember: async (cookies) => {
      const person = await personOf(sentBack(cookies));
      return person ? [...cookies, await devices.issue(person.id)] : cookies;
    },
    singleSignOn:
      provider && publicUrl !== undefined
        ? createSingleSignOn({ parts, library: { ...settings, publicUrl }, provider, personOf })
        : undefined,
  };
}
