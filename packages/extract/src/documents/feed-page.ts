import { pageRead } from '@trawl/providers/fetch-declaration';
import { decodeText } from '../charset/charset.ts';
import { lineOf } from '../dom/dom.ts';
import { parseHtml } from '../dom/parse-html.ts';
import type { FindingList } from '../findings/findings.ts';
import { addPageFindings } from '../findings/page-findings.ts';
import type { DocumentReading, Download, ExtractionOptions } from '../input/types.ts';
import { writeContent } from '../markdown/blocks.ts';
import { ALONE, escapeLineStart, escapeText } from '../markdown/escape.ts';
import { createWriting, type Writing } from '../markdown/writing.ts';
import { removeInvisible } from '../rules/clean.ts';
import { ENTRIES_MAX, type Feed, type FeedEntry, readFeed } from './feed.ts';
import { feedLine } from './feed-text.ts';
import { type LinkList, type ListedLink, readLinkList } from './link-list.ts';
import { documentFacts, jsonPage, parsed, xmlPage } from './text-document.ts';

/**
 * Reads XML or JSON. A feed becomes a list of its entries, a sitemap or OPML one of its links;
 * anything else stays as it is.
 * @param hidden gets what the entries of a feed hide; null = nothing is looked for
 */
export function readStructuredPage(
  download: Download,
  options: ExtractionOptions,
  kind: 'xml' | 'json',
  hidden: FindingList | null,
): DocumentReading {
  const source = decodeText(download.body, download.contentType).text;
  const facts = documentFacts(download, options, source);
  const writing = createWriting(options.contentFormat, download.url);
  const value = kind === 'json' ? parsed(source) : source;
  const feed = readFeed(value, download.url);
  if (feed)
    return pageRead({ ...facts, ...feedFacts(feed), content: writeFeed(feed, writing, hidden) });
  if (kind === 'json') return pageRead({ ...facts, ...jsonPage(source, value, options) });
  const list = readLinkList(source, download.url);
  if (!list) return pageRead({ ...facts, ...xmlPage(source, options) });
  const links = list.links.flatMap(({ url, feedUrl }) => [url, feedUrl]);
  return pageRead({
    ...facts,
    title: list.title,
    links: unique(links),
    content: writeList(list, writing),
  });
}

const unique = (addresses: readonly (string | null)[]): string[] => [
  ...new Set(addresses.filter((address) => address !== null)),
];

const feedFacts = ({ title, description, language, updated, entries, isCut }: Feed) => ({
  title: feedLine(title) || null,
  description: feedLine(description) || null,
  ...(language && { language }),
  publish_date: updated,
  links: unique(entries.map(({ url }) => url)),
  images: unique(entries.map(({ image }) => image)),
  remarks: isCut ? [CUT] : [],
});

const CUT = {
  code: 'upstream_warning',
  message: `content: the feed has more entries than the first ${ENTRIES_MAX}, which were read`,
} as const;

function writeFeed(feed: Feed, writing: Writing, hidden: FindingList | null): string {
  const title = feedLine(feed.title);
  const about = feedLine(feed.description);
  return [
    heading(title, writing),
    ...(about !== title ? [plainLine(about, writing)] : []),
    ...feed.entries.map((entry) => writeEntry(entry, writing, hidden)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function heading(title: string, writing: Writing): string {
  return title && writing.isMarkdown ? `# ${writing.escape(title)}` : title;
}

function writeEntry(entry: FeedEntry, writing: Writing, hidden: FindingList | null): string {
  const name = linked(feedLine(entry.title) || entry.url || 'Untitled', entry.url, writing);
  const line = [entry.date, entry.author].filter((part) => part).join(' · ');
  return [
    writing.isMarkdown ? `## ${name}` : name,
    plainLine(line, writing),
    ...(!writing.isMarkdown && entry.url ? [entry.url] : []),
    bodyText(entry, writing, hidden),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function linked(name: string, url: string | null, writing: Writing): string {
  const address = writing.isMarkdown && url ? writing.address(url) : null;
  return address
    ? `[${escapeText(name, { ...ALONE, isInLink: true })}](${address})`
    : writing.escape(name);
}

function bodyText(
  { body, baseUrl }: FeedEntry,
  writing: Writing,
  hidden: FindingList | null,
): string {
  if (!body.isHtml) return plainLines(body.text, writing);
  const document = parseHtml(`<html><body>${body.text}</body></html>`);
  if (hidden) addPageFindings(document, body.text, hidden);
  removeInvisible(document.body);
  const format = writing.isMarkdown ? 'markdown' : 'text';
  return writeContent(document.body, createWriting(format, baseUrl));
}

const plainLines = (text: string, writing: Writing): string =>
  writing.isMarkdown
    ? text
        .split(/\r\n|\r|\n/)
        .map((line) => plainLine(line.trim(), writing))
        .join('\n')
    : text;

const plainLine = (line: string, writing: Writing): string =>
  writing.isMarkdown ? escapeLineStart(writing.escape(line)) : line;

function writeList({ title, links }: LinkList, writing: Writing): string {
  const items = links.map((link) => writeLink(link, writing)).join('\n');
  return [heading(lineOf(title ?? ''), writing), items].filter((part) => part !== '').join('\n\n');
}

function writeLink({ name, url, feedUrl, date, level }: ListedLink, writing: Writing): string {
  const parts = writing.isMarkdown
    ? [escapeLineStart(linked(name || url || feedUrl || 'Untitled', url ?? feedUrl, writing))]
    : [name, url];
  const feed = url === null && writing.isMarkdown ? null : feedUrl;
  const line = [...parts, feed, date].filter((part) => part).join(' · ');
  return `${'  '.repeat(level)}- ${line}`;
}
