import type { PageField, ResultField, Warning } from '@trawl/contract';
import { TEXT_LIMITS } from '../values/text.ts';
import { PAGE_TEXT_LIMITS, type PageReading } from './page.ts';
import type { CutField, ParsedRow } from './search.ts';

/** The field of the answer that shows a text, and the limit of the text. */
const CUT_FIELDS: Readonly<Record<CutField, readonly [field: ResultField, limit: number]>> = {
  title: ['title', TEXT_LIMITS.line],
  summary: ['summary', TEXT_LIMITS.text],
  excerpt: ['excerpt', TEXT_LIMITS.text],
  author: ['source', TEXT_LIMITS.line],
};

/** One warning for each field of the answer in which texts of these rows were cut. */
export function cutWarnings(
  slug: string,
  rows: readonly ParsedRow[],
  active: ReadonlySet<ResultField>,
): Warning[] {
  if (!rows.some(({ cut }) => cut)) return [];
  return Object.entries(CUT_FIELDS).flatMap(([text, [field, limit]]) => {
    const count = rows.filter(({ cut }) => cut?.some((name) => name === text)).length;
    if (count === 0 || !active.has(field)) return [];
    const what = text === field ? 'text' : text;
    const message = `${field}: ${slug} sent ${count} ${count === 1 ? 'row' : 'rows'} whose ${what} is longer than ${limit} characters; cut to that`;
    return [{ code: 'upstream_warning', message }];
  });
}

/**
 * A page with a remark for each of its texts that was cut.
 * @param fields page fields that will be shown; a text of another field needs no remark
 */
export function withCutRemarks(
  slug: string,
  reading: PageReading,
  fields: ReadonlySet<PageField>,
): PageReading {
  if (reading.kind !== 'page' || reading.cut === undefined) return reading;
  const shown = reading.cut.filter((field) => fields.has(field));
  const warnings = shown.map(
    (field): Warning => ({
      code: 'upstream_warning',
      message: `${field}: ${slug} sent a text that is longer than ${PAGE_TEXT_LIMITS[field]} characters; cut to that`,
    }),
  );
  const { page } = reading;
  return { kind: 'page', page: { ...page, remarks: [...page.remarks, ...warnings] } };
}
