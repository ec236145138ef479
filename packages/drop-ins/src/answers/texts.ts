import { openingOf } from '@trawl/providers';
import type { DropInAnswer, DropInFault, Fetched, FoundPage } from '../declaration/declaration.ts';

/**
 * The whole page of a row where it has one, else its excerpt or summary. Clients expect a text, so
 * it is never absent.
 */
export const contentOf = ({ full_content, excerpt, summary }: FoundPage): string =>
  full_content ?? excerpt ?? summary ?? '';

/** A few sentences about a page. Clients expect a text, so it is never absent. */
export const snippetOf = ({ summary, excerpt }: FoundPage): string =>
  openingOf({ text: summary ?? excerpt ?? '', wasCut: false })?.text ?? '';

/** Text as it is written in HTML. */
export const htmlOf = (plain: string): string =>
  plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Why the page of a fetch of one page was not read; undefined = it was. */
export function unreadText({ rows: [row] }: Fetched): string | undefined {
  if (!row) return 'the page was not read';
  return row.error ? `${row.error.code}: ${row.error.message}` : undefined;
}

/** The fault of clients that want a text alone, and know no 422. */
export const plainFault = ({ status, message }: DropInFault): DropInAnswer => ({
  status: status === 422 ? 400 : status,
  body: { error: message },
});
