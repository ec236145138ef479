import type { PageField, Warning } from '@trawl/contract';
import { holdsCut, notingCuts, TEXT_LIMITS } from '../values/text.ts';

/** How much is read of each short text of a page. */
const SHORT_TEXTS = {
  title: TEXT_LIMITS.line,
  description: TEXT_LIMITS.text,
  summary: TEXT_LIMITS.text,
  author: TEXT_LIMITS.line,
  excerpt: TEXT_LIMITS.text,
} satisfies Partial<Record<PageField, number>>;

type ShortTexts = Readonly<Record<keyof typeof SHORT_TEXTS, string | null>>;

interface Reading {
  readonly kind: string;
  readonly page?: ShortTexts & { readonly remarks: readonly Warning[] };
}

/**
 * What `parse` reads of an answer, with a remark for each short text of the page that was cut.
 * @param fields page fields that will be shown; a text of another field needs no remark
 */
export function remarkingCuts<Read extends Reading>(
  slug: string,
  fields: ReadonlySet<PageField>,
  parse: () => Read,
): Read {
  const { value, cuts } = notingCuts(parse);
  const { page } = value;
  if (page === undefined || cuts.size === 0) return value;
  const found = (Object.keys(SHORT_TEXTS) as (keyof ShortTexts)[]).filter(
    (field) => fields.has(field) && holdsCut(page[field], cuts),
  );
  const warnings = found.map(
    (field): Warning => ({
      code: 'upstream_warning',
      message: `${field}: ${slug} sent a text that is longer than ${SHORT_TEXTS[field]} characters; cut to that`,
    }),
  );
  return { ...value, page: { ...page, remarks: [...page.remarks, ...warnings] } };
}
