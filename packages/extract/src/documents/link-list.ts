import { isJsonObject } from '@trawl/contract/json-object';
import { absoluteUrl } from '@trawl/contract/urls';
import { isoDate } from '@trawl/providers/dates';
import { XMLParser } from 'fast-xml-parser';
import { type Opml, parseOpml } from 'feedsmith';
import { lineOf } from '../dom/dom.ts';

/** A document that is a list of addresses. */
export interface LinkList {
  readonly title: string | null;
  readonly links: readonly ListedLink[];
}

export interface ListedLink {
  /** Empty = it has only an address. */
  readonly name: string;
  /** null = it is a heading of those below it. */
  readonly url: string | null;
  /** The feed of a site. */
  readonly feedUrl: string | null;
  readonly date: string | null;
  /** How many others it is inside of. */
  readonly level: number;
}

const ROOT_WITHIN_CHARACTERS = 4096;
const ROOT = /<(?:[a-z][\w.-]*:)?(urlset|sitemapindex|opml)[\s>]/i;

/**
 * Reads sitemaps, lists of sitemaps, and OPML; null when the document is something else, or broken.
 */
export function readLinkList(source: string, baseUrl: string): LinkList | null {
  const [, root] = ROOT.exec(source.slice(0, ROOT_WITHIN_CHARACTERS)) ?? [];
  if (root === undefined) return null;
  try {
    const list = root.toLowerCase() === 'opml' ? opml(source, baseUrl) : sitemap(source, baseUrl);
    return list.links.length > 0 ? list : null;
  } catch {
    return null;
  }
}

/** https://www.sitemaps.org/protocol.html, with what sites of news add. */
function sitemap(source: string, baseUrl: string): LinkList {
  const parser = new XMLParser({
    removeNSPrefix: true,
    parseTagValue: false,
    isArray: (name) => name === 'url' || name === 'sitemap',
  });
  const { urlset, sitemapindex } = parser.parse(source);
  const entries: unknown = urlset?.url ?? sitemapindex?.sitemap;
  const links = (Array.isArray(entries) ? entries : []).filter(isJsonObject).flatMap((entry) => {
    const news = isJsonObject(entry.news) ? entry.news : {};
    const url = absoluteUrl(entry.loc, baseUrl);
    const name = typeof news.title === 'string' ? lineOf(news.title) : '';
    const date = isoDate(news.publication_date) ?? isoDate(entry.lastmod);
    return url === null ? [] : [{ name, url, feedUrl: null, date, level: 0 }];
  });
  return { title: null, links };
}

type Outline = Opml.Outline<string>;

/** http://opml.org/spec2.opml */
function opml(source: string, baseUrl: string): LinkList {
  const { head, body } = parseOpml(source);
  return { title: head?.title ?? null, links: outlines(body?.outlines ?? [], baseUrl, 0) };
}

/** The parser refuses more than a hundred levels. */
function outlines(list: readonly Outline[], baseUrl: string, level: number): ListedLink[] {
  return list.flatMap((outline) => [
    {
      name: lineOf(outline.title ?? outline.text ?? ''),
      url: absoluteUrl(outline.htmlUrl ?? outline.url, baseUrl),
      feedUrl: absoluteUrl(outline.xmlUrl, baseUrl),
      date: isoDate(outline.created),
      level,
    },
    ...outlines(outline.outlines ?? [], baseUrl, level + 1),
  ]);
}
