import type { Download } from '@trawl/extract';
import { isMarkdownName } from '@trawl/extract/marks';
import type { PageReader } from '../pages/page-reading.ts';
import type { Extraction } from '../pages/types.ts';

/**
 * Text of a page outside of links and headings, in characters, that makes it more than a notice or
 * an index: two or three sentences. Shorter markdown is cheap to compare with the page in HTML.
 */
const PROSE_MIN = 300;

/** What is read of a text; the rest of a longer one does not matter. */
const READ_CHARACTERS = 10_000;

/** The page in HTML must have that many times the prose, since it may also have menus. */
const TIMES_MORE = 2;

/**
 * Errors, besides 406, that a site may answer with for markdown while it has the page in HTML.
 * Others, such as a price, a refusal or too many requests, are of the page, and asking twice does
 * not change them.
 */
const NO_MARKDOWN = new Set([400, 404, 410, 415]);

/**
 * Whether the site answered with markdown that may be less than the page: an error that may be of
 * this form only, a text that is not the page, such as a notice to sign in, or hardly any prose. An
 * address that names a file of markdown has no other form.
 * @param url as asked for
 */
export function isPoorMarkdown(download: Download, reading: Extraction, url: string): boolean {
  if (isMarkdownName(url) || !(isMarkdownType(download) || isMarkdownName(download.url))) {
    return false;
  }
  if (download.status < 200 || download.status >= 300) return NO_MARKDOWN.has(download.status);
  if (reading.kind === 'verdict') return true;
  if (reading.kind !== 'page') return false;
  return reading.verdict !== null || proseLength(reading.page.content) < PROSE_MIN;
}

/**
 * Whether the page in HTML is to be returned instead of its markdown. Without an answer of the
 * site, such as after a timeout, what is known from the markdown stays.
 */
export function isBetterThan(
  markdown: Extraction,
  html: Awaited<ReturnType<PageReader['read']>>,
): boolean {
  const isAnswered =
    html.kind === 'page' || (html.kind === 'verdict' && html.verdict.httpStatus !== null);
  if (!isAnswered) return false;
  if (markdown.kind !== 'page' || markdown.verdict !== null) return true;
  if (html.kind !== 'page' || html.verdict !== null) return false;
  return proseLength(html.page.content) > TIMES_MORE * proseLength(markdown.page.content);
}

const isMarkdownType = ({ contentType }: Download): boolean =>
  /^\s*text\/(?:x-)?markdown\b/i.test(contentType ?? '');

const LINK = /!?\[[^[\]\n]*\]\([^()\n]*\)|https?:\/\/\S+/g;

function proseLength(content: string | null): number {
  const prose = (content ?? '')
    .slice(0, READ_CHARACTERS)
    .replace(LINK, '')
    .replace(/^#{1,6}\s.*$/gm, '')
    .replace(/\s+/g, ' ');
  return prose.trim().length;
}
