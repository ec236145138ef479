/** A page of an answer, read by a table like that of rows. */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { isoDate } from '../values/dates.ts';
import { wholeNumber } from '../values/json.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl, webUrls } from '../values/urls.ts';
import { EMPTY_PAGE, httpStatusOf, type PageReading, pageRead, type SuppliedPage } from './page.ts';
import { type From, type KeyRules, leftOversOf, memberOf, type ReadValue } from './table.ts';

const jsonObject = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);

/** For a place: an object that is not empty. */
export const filledObject = (value: unknown): JsonObject | null =>
  isJsonObject(value) && Object.keys(value).length > 0 ? value : null;

/** How the values of a field are read, unless a table says otherwise. */
const USUAL = {
  content: text,
  title: limitedTitle,
  http_status: httpStatusOf,
  description: limitedText,
  raw_html: text,
  html: text,
  screenshot: (value) => absoluteUrl(value, null),
  page_count: wholeNumber,
  content_type: text,
  summary: limitedText,
  language: text,
  author: limitedTitle,
  publish_date: isoDate,
  favicon: absoluteUrl,
  thumbnail: absoluteUrl,
  links: webUrls,
  images: webUrls,
  metadata: jsonObject,
  structured: jsonObject,
  excerpt: limitedText,
} as const satisfies {
  readonly [Field in keyof SuppliedPage]?: ReadValue<NonNullable<SuppliedPage[Field]>, string>;
};

type UsualField = keyof typeof USUAL;

/**
 * How a vendor's page becomes ours. A field that is in neither the table nor `more` is what is
 * known without the vendor's object, else null.
 */
export type PageTable = KeyRules & {
  readonly [Field in UsualField]?: From<NonNullable<SuppliedPage[Field]>, string>;
} & {
  /** Relative to the address that was asked for; other addresses are relative to this one. */
  readonly canonical_url?: From<string>;
  /**
   * What a place cannot say: its members replace those of the table. `left`: what the table leaves
   * over, which are the `enrichments` unless it returns others. `page`: the address of the page.
   */
  readonly more?: (sent: JsonObject, left: JsonObject, page: string) => SuppliedPage;
};

/**
 * Reads a page by a table, which is compiled once.
 * @returns a function of the vendor's object, the address that was asked for, and what is known of
 * the page without the object: values that can be read in it replace these
 */
export function pageReader({
  more,
  dropped = [],
  split = [],
  ...fields
}: PageTable): (sent: JsonObject, asked: string, known?: SuppliedPage) => PageReading {
  const address = memberOf(fields.canonical_url, absoluteUrl);
  const members = (Object.keys(USUAL) as UsualField[]).flatMap((field) => {
    const read = memberOf<unknown, string>(fields[field], USUAL[field]);
    return read === undefined ? [] : [{ field, read }];
  });
  const leftOver = leftOversOf(fields, { dropped, split }, fields.publish_date);
  return (sent, asked, known = {}) => {
    const canonical_url = address?.(sent, asked) ?? known.canonical_url ?? null;
    const page = canonical_url ?? asked;
    const left = leftOver(sent);
    // of one shape for all pages: filling an object that grows costs more
    const supplied: Record<string, unknown> = {
      ...EMPTY_PAGE,
      ...known,
      canonical_url,
      enrichments: left,
    };
    for (const { field, read } of members) {
      const value = read(sent, page);
      if (value !== null) supplied[field] = value;
    }
    // each value is what the reader of its field returns
    return pageRead(Object.assign(supplied, more?.(sent, left, page)) as SuppliedPage);
  };
}
