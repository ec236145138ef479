import { pageRead } from '@trawl/providers/fetch-declaration';
import { decodeText } from '../charset/charset.ts';
import { parseHtml } from '../dom/parse-html.ts';
import type { DocumentReading, Download, ExtractionOptions } from '../input/types.ts';
import { writeContent } from '../markdown/blocks.ts';
import { createWriting, type Writing } from '../markdown/writing.ts';
import { removeInvisible } from '../rules/clean.ts';
import { type Feed, type FeedEntry, readJsonFeed, readXmlFeed } from './feed.ts';
import { documentFacts, parsed, readJson, readXml } from './text-document.ts';

/**
 * Reads XML or JSON that may be a feed. A feed becomes a list of its entries; anything else stays
 * as it is.
 */
export function readStructuredPage(
  download: Download,
  options: ExtractionOptions,
  kind: 'xml' | 'json',
): DocumentReading {
  const source = decodeText(download.body, download.contentType).text;
  const feed =
    kind === 'xml' ? readXmlFeed(source, download.url) : readJsonFeed(parsed(source), download.url);
  if (!feed) return kind === 'xml' ? readXml(download, options) : readJson(download, options);
  const facts = documentFacts(download, options, source);
  return pageRead({
    ...facts,
    title: feed.title,
    description: feed.description,
    language: feed.language ?? download.contentLanguage,
    publish_date: feed.updated,
    links: [...new Set(feed.entries.flatMap(({ url }) => url ?? []))],
    content: writeFeed(feed, createWriting(options.contentFormat, download.url)),
  });
}

function writeFeed(feed: Feed, writing: Writing): string {
  const title = feed.title
    ? [writing.isMarkdown ? `# ${writing.escape(feed.title)}` : feed.title]
    : [];
  const about =
    feed.description && feed.description !== feed.title ? [writing.escape(feed.description)] : [];
  return [...title, ...about, ...feed.entries.map((entry) => writeEntry(entry, writing))].join(
    '\n\n',
  );
}

function writeEntry(entry: FeedEntry, writing: Writing): string {
  const name = writing.escape(entry.title || entry.url || 'Untitled');
  const address = entry.url && writing.address(entry.url);
  const heading = writing.isMarkdown ? `## ${address ? `[${name}](${address})` : name}` : name;
  const line = [entry.date, entry.author].filter((part) => part).join(' · ');
  return [
    heading,
    line,
    ...(!writing.isMarkdown && entry.url ? [entry.url] : []),
    bodyText(entry, writing),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function bodyText({ body, url }: FeedEntry, writing: Writing): string {
  if (!/[<&]/.test(body)) return body;
  const document = parseHtml(`<html><body>${body}</body></html>`);
  removeInvisible(document.body);
  return writeContent(
    document.body,
    url ? { ...writing, ...createWriting(writing.isMarkdown ? 'markdown' : 'text', url) } : writing,
  );
}
