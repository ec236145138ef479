import { isoDate } from '@trawl/providers/dates';
import { absoluteUrl } from '@trawl/providers/urls';
import { lineOf, type PageElement } from '../dom/dom.ts';
import { parseTree } from '../dom/parse-html.ts';
import { isObject, namesIn } from '../facts/json-ld.ts';

/** A parsed feed with its entries in their order. */
export interface Feed {
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly updated: string | null;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly title: string;
  readonly url: string | null;
  readonly date: string | null;
  readonly author: string;
  /** HTML. */
  readonly body: string;
}

const MAX_ENTRIES = 500;

/** Parses RSS, RDF and Atom; null when the document is not a feed. */
export function readXmlFeed(source: string, baseUrl: string): Feed | null {
  const [root] = parseTree(source, { isXml: true }).children;
  const name = root?.localName.toLowerCase();
  if (!root || (name !== 'rss' && name !== 'feed' && name !== 'rdf:rdf')) return null;
  const children = [...root.children];
  const channel = children.find((child) => child.localName === 'channel') ?? root;
  const entries = [...channel.children, ...children].filter(
    ({ localName }) => localName === 'item' || localName === 'entry',
  );
  return {
    title: lineOf(htmlText(textOf(channel, 'title'))) || null,
    description: lineOf(htmlText(textOf(channel, 'description', 'subtitle'))) || null,
    language: textOf(channel, 'language') || root.getAttribute('xml:lang'),
    updated: isoDate(textOf(channel, 'lastBuildDate', 'pubDate', 'updated')),
    entries: [...new Set(entries)].slice(0, MAX_ENTRIES).map((entry) => readEntry(entry, baseUrl)),
  };
}

function readEntry(entry: PageElement, baseUrl: string): FeedEntry {
  const author = child(entry, 'author');
  return {
    title: lineOf(htmlText(textOf(entry, 'title'))),
    url: absoluteUrl(addressOf(entry), baseUrl),
    date: isoDate(textOf(entry, 'pubDate', 'published', 'dc:date', 'updated')),
    author: lineOf(
      textOf(entry, 'dc:creator') || (author ? textOf(author, 'name') || author.textContent : ''),
    ),
    body: textOf(
      entry,
      'content:encoded',
      'content',
      'description',
      'summary',
      'media:description',
    ),
  };
}

function addressOf(entry: PageElement): string {
  const links = [...entry.children].filter(({ localName }) => localName === 'link');
  const page =
    links.find((link) => (link.getAttribute('rel') ?? 'alternate') === 'alternate') ?? links[0];
  return page?.getAttribute('href') ?? (page?.textContent.trim() || textOf(entry, 'guid'));
}

function child(element: PageElement, name: string): PageElement | undefined {
  return [...element.children].find(
    ({ localName }) => localName.toLowerCase() === name.toLowerCase(),
  );
}

/** The text of the first of these children that has text; XHTML in it stays markup. */
function textOf(element: PageElement, ...names: readonly string[]): string {
  for (const name of names) {
    const found = child(element, name);
    const text =
      found && (found.getAttribute('type') === 'xhtml' ? found.innerHTML : found.textContent);
    if (text?.trim()) return text.trim();
  }
  return '';
}

const htmlText = (text: string): string =>
  text.includes('<') ? text.replace(/<\/?[a-z][^<>]*>/gi, '') : text;

/** Parses a JSON feed; null when the value is not one. */
export function readJsonFeed(value: unknown, baseUrl: string): Feed | null {
  if (
    !isObject(value) ||
    typeof value.version !== 'string' ||
    !value.version.includes('jsonfeed.org')
  )
    return null;
  const items = Array.isArray(value.items) ? value.items.filter(isObject) : [];
  const text = (given: unknown): string => (typeof given === 'string' ? given.trim() : '');
  return {
    title: text(value.title) || null,
    description: text(value.description) || null,
    language: text(value.language) || null,
    updated: null,
    entries: items.slice(0, MAX_ENTRIES).map((item) => ({
      title: lineOf(text(item.title)),
      url: absoluteUrl(item.url ?? item.external_url ?? item.id, baseUrl),
      date: isoDate(item.date_published ?? item.date_modified),
      author: namesIn(item.authors ?? item.author).join(', '),
      body: text(item.content_html) || text(item.content_text) || text(item.summary),
    })),
  };
}
