import type { Clock, ReportFault } from '@trawl/base';
import type { AccountStore } from '@trawl/store';
import type { AuditTrail } from './audit-trail.ts';
import type { Library } from './library.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/** What the functions on accounts share. */
export interface AccountParts {
  readonly store: AccountStore;
  readonly library: Library;
  readonly limits: SignInLimits;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly reportFault: ReportFault;
  /** People sign in by single sign-on only. */
  readonly isSingleSignOnOnly: boolean;
}
