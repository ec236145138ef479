import type { PageVerdict, ParsedPage } from '@trawl/providers';
import { diagnosePage } from './diagnose.ts';
import type { PageEvidence } from './evidence.ts';

/** What stands in the way of taking a parsed page for the one at `url`; null = a page. */
export function verdictOnPage(page: ParsedPage, url: string): PageVerdict | null {
  return diagnosePage(evidenceOf(page, url));
}

/** What a parsed page says about itself. */
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
