import { absoluteUrl } from '@trawl/contract/urls';
import { isoDate } from '@trawl/providers/dates';
import {
  type AnyFeed,
  type AtomFeed,
  type JsonFeed,
  type MediaNs,
  parseFeed,
  type RdfFeed,
  type RssFeed,
} from 'feedsmith';
import { atomText, type FeedText, firstText, html, perhapsHtml, plain } from './feed-text.ts';

/** A parsed feed with its entries in their order. */
export interface Feed {
  readonly title: FeedText;
  readonly description: FeedText;
  readonly language: string | null;
  readonly updated: string | null;
  readonly entries: readonly FeedEntry[];
  /** It has more entries than are read. */
  readonly isCut: boolean;
}

export interface FeedEntry {
  readonly title: FeedText;
  readonly url: string | null;
  /** Of links in its body. */
  readonly baseUrl: string;
  readonly date: string | null;
  readonly author: string;
  readonly body: FeedText;
  readonly image: string | null;
}

export const ENTRIES_MAX = 500;

/**
 * Reads RSS, RDF, Atom and JSON feeds; null when the document is not a feed, or one without entries
 * and name.
 */
export function readFeed(source: unknown, url: string): Feed | null {
  const read = parsedFeed(source);
  if (read === null) return null;
  const feed = feedOf(read, url);
  const isCut = feed.entries.length > ENTRIES_MAX;
  return { ...feed, entries: feed.entries.slice(0, ENTRIES_MAX), isCut };
}

function parsedFeed(source: unknown): AnyFeed | null {
  try {
    return parseFeed(source, { maxItems: ENTRIES_MAX + 1 });
  } catch {
    // not a feed, or without anything that could be shown
    return null;
  }
}

function feedOf(read: AnyFeed, url: string): Omit<Feed, 'isCut'> {
  switch (read.format) {
    case 'atom':
      return atomFeed(read.feed, url);
    case 'json':
      return jsonFeed(read.feed, url);
    default:
      return rssFeed(read.feed, url);
  }
}

/** RSS of all versions; those before 2.0 have fewer fields. */
function rssFeed(feed: RssFeed.Feed<string> & RdfFeed.Feed<string>, url: string) {
  return {
    title: firstText(perhapsHtml(feed.title), atomText(feed.atom?.title)),
    description: perhapsHtml(feed.description),
    language: feed.language ?? feed.dc?.languages?.[0] ?? feed.xml?.lang ?? null,
    updated: firstDate(
      feed.lastBuildDate,
      feed.pubDate,
      feed.atom?.updated,
      ...(feed.dc?.dates ?? []),
    ),
    entries: (feed.items ?? []).map((item) => rssEntry(item, baseOf(url, feed.xml, item.xml))),
  };
}

type RssItem = RssFeed.Item<string> & RdfFeed.Item<string>;

function rssEntry(item: RssItem, baseUrl: string): FeedEntry {
  const { atom, dc, guid, media } = item;
  const permanent = guid?.isPermaLink === false || !isWebAddress(guid?.value) ? null : guid?.value;
  const address =
    item.link ??
    alternate(atom?.links) ??
    permanent ??
    item.rdf?.about ??
    item.enclosures?.[0]?.url;
  const url = absoluteUrl(address, baseUrl);
  return {
    title: firstText(
      perhapsHtml(item.title),
      atomText(atom?.title),
      perhapsHtml(dc?.titles?.[0]),
      mediaText(media, 'title'),
    ),
    url,
    baseUrl: url ?? baseUrl,
    date: firstDate(item.pubDate, atom?.published, ...(dc?.dates ?? []), atom?.updated),
    author: namesOf(dc?.creators, item.authors, atom?.authors, [item.itunes?.author]),
    body: firstText(
      perhapsHtml(item.content?.encoded),
      perhapsHtml(item.description),
      atomText(atom?.content),
      atomText(atom?.summary),
      mediaText(media, 'description'),
      perhapsHtml(item.itunes?.summary),
    ),
    image: imageOf(media, baseUrl),
  };
}

function atomFeed(feed: AtomFeed.Feed<string>, url: string) {
  return {
    title: atomText(feed.title),
    description: atomText(feed.subtitle),
    language: feed.xml?.lang ?? feed.dc?.languages?.[0] ?? null,
    updated: firstDate(feed.updated),
    entries: (feed.entries ?? []).map((entry) =>
      atomEntry(entry, baseOf(url, feed.xml, entry.xml)),
    ),
  };
}

function atomEntry(entry: AtomFeed.Entry<string>, baseUrl: string): FeedEntry {
  const { content, media } = entry;
  const address = alternate(entry.links) ?? entry.links?.[0]?.href ?? content?.src;
  const url = absoluteUrl(address, baseUrl);
  return {
    title: firstText(atomText(entry.title), mediaText(media, 'title')),
    url,
    // base addresses are declared for content too
    baseUrl: baseOf(entry.xml || content?.xml ? baseUrl : (url ?? baseUrl), content?.xml),
    date: firstDate(entry.published, ...(entry.dc?.dates ?? []), entry.updated),
    author: namesOf(entry.authors, entry.dc?.creators),
    body: firstText(atomText(content), atomText(entry.summary), mediaText(media, 'description')),
    image: imageOf(media, baseUrl),
  };
}

function jsonFeed(feed: JsonFeed.Feed<string>, url: string) {
  return {
    title: plain(feed.title),
    description: plain(feed.description),
    language: feed.language ?? null,
    updated: null,
    entries: (feed.items ?? []).map((item) => jsonEntry(item, url)),
  };
}

function jsonEntry(item: JsonFeed.Item<string>, baseUrl: string): FeedEntry {
  const id = isWebAddress(item.id) ? item.id : undefined;
  const url = absoluteUrl(item.url ?? item.external_url ?? id, baseUrl);
  return {
    title: plain(item.title),
    url,
    baseUrl: url ?? baseUrl,
    date: firstDate(item.date_published, item.date_modified),
    author: namesOf(item.authors),
    body: firstText(html(item.content_html), plain(item.content_text), plain(item.summary)),
    image: absoluteUrl(item.image, baseUrl),
  };
}

const isWebAddress = (text: string | undefined): boolean => /^https?:\/\//i.test(text ?? '');

/** Each declaration applies inside of the one before. */
const baseOf = (url: string, ...declared: readonly ({ readonly base?: string } | undefined)[]) =>
  declared.reduce((base, each) => absoluteUrl(each?.base, base) ?? base, url);

interface FeedLink {
  readonly href?: string;
  readonly rel?: string;
}

/** The page of an entry; other links are its comments, its files or where it can be edited. */
const alternate = (links: readonly FeedLink[] = []): string | undefined =>
  links.find(({ rel = 'alternate' }) => rel === 'alternate')?.href;

const firstDate = (...dates: readonly (string | undefined)[]): string | null =>
  dates.map(isoDate).find((date) => date !== null) ?? null;

interface FeedPerson {
  readonly name?: string;
  readonly email?: string;
}

/** The names of the first list that has any. */
function namesOf(...lists: readonly (readonly (FeedPerson | string | undefined)[] | undefined)[]) {
  for (const list of lists) {
    const names = (list ?? []).flatMap((person) =>
      typeof person === 'object' ? (person.name ?? person.email ?? []) : (person ?? []),
    );
    if (names.length > 0) return names.join(', ');
  }
  return '';
}

type Media = MediaNs.ItemOrFeed;

/** What is said of the first picture or film, alone, in a group, or of one of its versions. */
function mediaText(media: Media | undefined, field: 'title' | 'description'): FeedText {
  const found = mediaParts(media).find((part) => part[field]?.value)?.[field];
  return found?.type === 'html' ? html(found.value) : plain(found?.value);
}

function imageOf(media: Media | undefined, baseUrl: string): string | null {
  const parts = mediaParts(media);
  const thumbnail = parts.flatMap(({ thumbnails = [] }) => thumbnails)[0]?.url;
  const picture = parts.find((part) => 'medium' in part && part.medium === 'image');
  return absoluteUrl(thumbnail ?? (picture && 'url' in picture ? picture.url : null), baseUrl);
}

const mediaParts = (media: Media = {}) => {
  const groups = media.groups ?? [];
  const contents = [media, ...groups].flatMap((part) => part.contents ?? []);
  return [media, ...groups, ...contents];
};
