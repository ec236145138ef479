import type { ContentFormat, FetchRow, RowErrorCode, Warning, WebRule } from '@trawl/contract';
import { PAGE_FIELDS, type PageField } from '@trawl/contract/vocabulary';
import { withoutInvisible } from '../values/invisible-characters.ts';
import { list, object } from '../values/json.ts';
import type { ReportedUsage } from '../values/price.ts';
import { type LimitedText, TEXT_LIMITS, text } from '../values/text.ts';

/** The page fields of a row of the contract; usage is still as reported. */
type PageValues = {
  readonly [Field in Exclude<PageField, 'usage'>]-?: Readonly<Exclude<FetchRow[Field], undefined>>;
};

/**
 * A page in our words. A value that the provider did not send is null, or an empty list. Links,
 * images and media are absolute http(s) URLs, each once.
 */
export interface ParsedPage extends PageValues {
  /** null or blank is an empty page. */
  readonly content: string | null;
  readonly content_format: ContentFormat;
  readonly usage: ReportedUsage | null;
  /**
   * What the provider reports in addition to the page: `upstream_warning`, `upstream_error`,
   * `relative_links`.
   */
  readonly remarks: readonly Warning[];
  /** Where redirects ended, if that is known exactly; absent = `canonical_url` may say it. */
  readonly finalUrl?: string;
  /** Only a part of the page arrived; asked again, all of it may. */
  readonly isPartial?: boolean;
  /** Fields that the provider usually supplies but did not send with this page, and why. */
  readonly gaps?: readonly { readonly field: PageField; readonly reason: string }[];
}

/**
 * What a provider reports about a page that it could not deliver. A verdict is about the page, so
 * the page was reached: the provider did nothing wrong.
 */
export interface PageVerdict {
  readonly code: RowErrorCode;
  /** The provider's own code or our few words, such as `bot_blocked`; never a text of the page. */
  readonly reason: string;
  /** The web rule of the caller that refused the address. */
  readonly rule?: WebRule;
  /** One sentence for people, where it says more than what `code` usually means. */
  readonly meaning?: string;
  /** The target's own status, where the provider names it. */
  readonly httpStatus: number | null;
  /**
   * The provider gave a reason of its own, not the target's answer, so that a 404 is less certain.
   */
  readonly isOwnReason?: true;
  /** Text that came with the failure, such as that of an error page. */
  readonly content?: string | null;
  /** The cost of the failed page, where the provider reports it. */
  readonly usage?: ReportedUsage | null;
}

/** How much is read of each short text of a page. */
export const PAGE_TEXT_LIMITS = {
  title: TEXT_LIMITS.line,
  description: TEXT_LIMITS.text,
  summary: TEXT_LIMITS.text,
  author: TEXT_LIMITS.line,
  excerpt: TEXT_LIMITS.text,
} as const satisfies Partial<Record<PageField, number>>;

export type PageTextField = keyof typeof PAGE_TEXT_LIMITS;
const PAGE_TEXT_FIELDS = Object.keys(PAGE_TEXT_LIMITS) as PageTextField[];

/** A page that was read. `cut`: its short texts of which the provider sent more; absent = none. */
interface ReadPage {
  readonly kind: 'page';
  readonly page: ParsedPage;
  readonly cut?: readonly PageTextField[];
}

export type PageReading =
  | ReadPage
  | { readonly kind: 'verdict'; readonly verdict: PageVerdict }
  /** Not ready yet: `collect.follow` asks again under this name. */
  | { readonly kind: 'pending'; readonly job: string /** Ask at once. */; readonly isDue?: true };

/** Of every page field. */
const NULLS = Object.fromEntries(PAGE_FIELDS.map((field) => [field, null])) as Record<
  PageField,
  null
>;
const EMPTY_LISTS = { chunks: [], links: [], images: [], media: [], subpages: [] };

/** A page without any values. */
export const EMPTY_PAGE: ParsedPage = {
  ...NULLS,
  ...EMPTY_LISTS,
  content: null,
  content_format: 'markdown',
  enrichments: {},
  remarks: [],
};

const NO_TEXTS = { title: null, description: null, summary: null, author: null, excerpt: null };

/** What is read of a page. Short texts may be of our own words. */
export type SuppliedPage = Partial<
  Omit<ParsedPage, PageTextField> & Readonly<Record<PageTextField, LimitedText | string | null>>
>;

/**
 * A page; fields that are left out were not supplied. Its texts are without characters that no one
 * sees, but for `content`, which is read for what such characters carry first.
 */
export function pageRead(supplied: SuppliedPage): ReadPage {
  const texts: Record<PageTextField, string | null> = { ...NO_TEXTS };
  const cut: PageTextField[] = [];
  for (const field of PAGE_TEXT_FIELDS) {
    const value = supplied[field] ?? null;
    texts[field] = visible(typeof value === 'string' ? value : (value?.text ?? null));
    if (typeof value !== 'string' && value?.wasCut) cut.push(field);
  }
  const { chunks = [], transcript = null, subpages = [] } = supplied;
  const page = {
    ...EMPTY_PAGE,
    ...supplied,
    ...texts,
    chunks: chunks.map(withoutInvisible),
    transcript: visible(transcript),
    subpages: subpages.map((sub) => ({
      ...sub,
      title: visible(sub.title),
      content: visible(sub.content),
    })),
  };
  return cut.length === 0 ? { kind: 'page', page } : { kind: 'page', page, cut };
}

const visible = (text: string | null): string | null => text && withoutInvisible(text);

export function verdict(
  code: RowErrorCode,
  reason: string,
  httpStatus: number | null = null,
  more: Pick<PageVerdict, 'content' | 'usage' | 'meaning' | 'isOwnReason'> = {},
): Extract<PageReading, { kind: 'verdict' }> {
  return { kind: 'verdict', verdict: { code, reason, httpStatus, ...more } };
}

/** An HTTP status; some providers write 0 for a missing one. */
export function httpStatusOf(value: unknown): number | null {
  const isStatus = typeof value === 'number' && Number.isInteger(value);
  return isStatus && value >= 100 && value <= 599 ? value : null;
}

/** The reason of a verdict: the provider's own code, kept short and harmless. */
export function shortReason(value: unknown, otherwise: string): string {
  const words = (text(value) ?? '').slice(0, 200).replace(/[^\w.:-]+/g, ' ');
  return words.trim().slice(0, 80).trim() || otherwise;
}

/** The verdict that the target's own status gives for a failed page. */
export function codeOfTargetStatus(status: number | null): RowErrorCode {
  if (status === null || status < 400) return 'provider_error';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 401) return 'paywall';
  if (status === 402) return 'payment_required';
  if (status === 403 || status === 429 || status === 451) return 'blocked';
  return status === 408 || status === 504 ? 'timeout' : 'target_error';
}

/** The words of browsers, curl, resolvers and vendors for a host name that does not resolve. */
const NAME_UNKNOWN =
  /NAME_NOT_RESOLVED|ENOTFOUND|NXDOMAIN|dns (?:lookup|resolution) fail|(?:not|n't|unable to|failed to) (?:be )?resolve/i;
const SAID_AT_MOST = 500;

/**
 * The verdict on a page whose host could not be reached. Vendors have one code for all causes, so
 * their words decide whether the name is unknown.
 * @param said the vendor's texts in addition to its code; only the start of each text is read
 */
export function unreachable(
  reason: string,
  said: readonly unknown[],
  meaning = 'The site could not be reached.',
): PageReading {
  const isNameUnknown = said.some((words) =>
    NAME_UNKNOWN.test((text(words) ?? '').slice(0, SAID_AT_MOST)),
  );
  return isNameUnknown
    ? verdict('dns_error', reason)
    : verdict('target_error', reason, null, { meaning });
}

const LONGEST_REMARK = 200;

/** A remark in the provider's own words, on one line and cut; none where it is empty. */
export function remark(
  code: 'upstream_warning' | 'upstream_error',
  provider: string,
  words: unknown,
): readonly Warning[] {
  const said = text(words)?.slice(0, LONGEST_REMARK).replace(/\s+/g, ' ').trim();
  return said ? [{ code, message: `${provider}: ${said}` }] : [];
}

const MOST_REMARKS = 3;

/** The first remarks of a provider, which are texts or objects with a message. */
export const remarks = (provider: string, said: unknown): readonly Warning[] =>
  list(said)
    .slice(0, MOST_REMARKS)
    .flatMap((one) => remark('upstream_warning', provider, object(one).message ?? one));
