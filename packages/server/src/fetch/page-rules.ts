import type { RowErrorCode } from '@trawl/contract';
import { BOT_CHECK } from './page-rules-bot-check.ts';
import { BOT_CHECK_ABROAD } from './page-rules-bot-check-abroad.ts';
import { COOKIE_WALL, PORTAL_CONSENT } from './page-rules-consent.ts';
import { FIREWALL } from './page-rules-firewall.ts';
import { MISSING_PAGE } from './page-rules-missing.ts';
import { PARKED_DOMAIN } from './page-rules-parked.ts';
import { ACCESS_DENIED } from './page-rules-refusal.ts';
import { SCRIPT_SHELL } from './page-rules-script.ts';
import { SERVER_ERROR } from './page-rules-server.ts';
import { SIGN_IN_WALL } from './page-rules-sign-in.ts';
import { SUBSCRIPTION_WALL } from './page-rules-subscription.ts';

/**
 * A family of pages that look like an answer and are none. All texts are written as `comparable` makes them.
 *
 * A page belongs to the family when it has one of its titles, phrases or marks, and not more than `maxWords` words that
 * the family does not explain. A sentence is explained by a phrase, a hint, a topic or a label in it; menus made of
 * links and the page's own title are left out as well.
 */
export interface PageRule {
  readonly code: RowErrorCode;
  readonly reason: string;
  /** The whole title or first heading, beside the site's name. */
  readonly titles?: readonly string[];
  /** Titles that a poem could have too: enough only where next to nothing else is on the page. */
  readonly weakTitles?: readonly string[];
  /** Stand at the beginning of a sentence that addresses the visitor. */
  readonly phrases?: readonly string[];
  /** Words of buttons; with `needsLabel`, one of the lines must be made of them. */
  readonly labels?: readonly string[];
  readonly needsLabel?: true;
  /** Parts of sentences that such pages have too. They prove nothing. */
  readonly hints?: readonly string[];
  /** Single words that such pages are about. They prove nothing. */
  readonly topics?: readonly string[];
  /** Parts of the markup that only such pages have. */
  readonly marks?: readonly string[];
  /** Whoever writes so tells of such pages, and shows none. */
  readonly about?: readonly string[];
  /** Words that the family does not explain. */
  readonly maxWords: number;
  /** All words, menus left out. */
  readonly maxTotal: number;
}

/** In the order in which they are tried: a script check may also ask for scripts, a wall may name cookies. */
export const PAGE_RULES: readonly PageRule[] = [
  BOT_CHECK,
  BOT_CHECK_ABROAD,
  FIREWALL,
  PORTAL_CONSENT,
  COOKIE_WALL,
  SUBSCRIPTION_WALL,
  SIGN_IN_WALL,
  SCRIPT_SHELL,
  ACCESS_DENIED,
  SERVER_ERROR,
  MISSING_PAGE,
  PARKED_DOMAIN,
];
