import type { Clock, ReportFault } from '@trawl/base';
import type { AccountStore } from '@trawl/store';
import { type AcceptInvitation, createAcceptInvitation } from './accept-invitation.ts';
import type { AccountParts } from './account-parts.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';
import { createInvitationLinks, type InvitationLinks } from './invitation-links.ts';
import { openLibrary } from './library.ts';
import { createMemberChanges, type MemberChanges } from './members.ts';
import { createOwnAccount, type OwnAccount } from './own-account.ts';
import { createSignIn, type SignIn } from './sign-in.ts';

export interface AccountsOptions {
  readonly store: AccountStore;
  /** Signs the cookies. */
  readonly secret: string;
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
  readonly reportFault: ReportFault;
}

/** The people of the console: how they sign in, and what they may. */
export interface Accounts {
  readonly signIn: SignIn;
  readonly own: OwnAccount;
  readonly members: MemberChanges;
  readonly invitations: InvitationLinks;
  readonly accept: AcceptInvitation;
  readonly audit: AuditTrail;
}

/** This loads the library that signs people in. */
export function openAccounts(options: AccountsOptions): Accounts {
  const { store, clock } = options;
  const library = openLibrary({ ...options, database: store.database });
  const trail = createAuditTrail(store.audit, clock);
  const parts: AccountParts = { store, library, trail, clock, isSingleSignOnOnly: false };
  return {
    signIn: createSignIn(parts),
    own: createOwnAccount(parts),
    members: createMemberChanges(parts),
    invitations: createInvitationLinks(parts),
    accept: createAcceptInvitation(parts),
    audit: trail,
  };
}
