import type { PageVerdict, ParsedPage } from '@trawl/providers';
import { diagnosePage } from './diagnose.ts';
import type { PageEvidence } from './evidence.ts';
import type { PageFamily } from './page-families.ts';

/**
 * Why a parsed page is not the one at `url`, as `diagnosePage` says; null = it is.
 * @param given its content with the characters that no reader sees
 */
export function verdictOnPage(
  page: ParsedPage,
  url: string,
  given = page.content ?? '',
  families?: readonly PageFamily[],
): PageVerdict | null {
  return diagnosePage({ ...evidenceOf(page, url), given }, families);
}

/** The evidence in a parsed page. */
export function evidenceOf(page: ParsedPage, url: string): PageEvidence {
  return {
    url,
    finalUrl: page.canonical_url,
    content: page.content ?? '',
    contentFormat: page.content_format,
    title: page.title,
    httpStatus: page.http_status,
    contentType: page.content_type,
    html: page.raw_html,
  };
}
