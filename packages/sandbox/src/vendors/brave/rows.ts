import type { JsonObject } from '../../util/json.ts';
import { type Dice, diceFor, digest } from '../../util/seed.ts';
import { agoText, imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import type { BraveQuery } from './query.ts';

/** Rows: https://api-dashboard.search.brave.com/app/documentation/web-search/responses */

const HALF_DAY_MS = 43_200_000;
const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

export const ROW = {
  title: 'title',
  url: 'url',
  date: 'page_age',
  image: {
    name: 'thumbnail',
    wrap: (value: string) => ({ src: value, original: value, logo: false }),
  },
  snippets: [{ name: 'description' }, { name: 'extra_snippets', wrap: (value: string) => [value] }],
};

/** What every item of every section has. */
export function resultOf(page: Page, asked: BraveQuery): JsonObject {
  const dice = diceFor('brave result', page.topic, page.id);
  const hasAge = dice.chance(0.85);
  return {
    title: page.title,
    url: page.url,
    is_source_local: false,
    is_source_both: false,
    description: descriptionOf(page, asked),
    page_age: hasAge ? page.published : undefined,
    profile: {
      name: page.site.name,
      url: page.url,
      long_name: page.site.host,
      img: proxied('32', page.site.host),
    },
    language: asked.language.slice(0, 2),
    family_friendly: true,
    ...(asked.fetchMetadata ? fetchMetadata(page) : {}),
    meta_url: metaUrl(page),
    age: hasAge ? ageOf(page) : undefined,
  };
}

/** A row of `web.results`. */
export function webRow(page: Page, asked: BraveQuery): JsonObject {
  const dice = diceFor('brave row', page.topic, page.id);
  const subtype = page.site.kind === 'article' || page.site.kind === 'news' ? 'article' : 'generic';
  return {
    ...resultOf(page, asked),
    type: 'search_result',
    subtype,
    is_live: false,
    thumbnail: dice.chance(0.89) ? thumbnail(page, dice) : undefined,
    article: subtype === 'article' && dice.chance(0.5) ? articleOf(page) : undefined,
    deep_results: page.site.kind === 'reference' && dice.chance(0.5) ? buttonsOf(page) : undefined,
    extra_snippets:
      asked.extraSnippets && dice.chance(0.85)
        ? sentencesOf(page, 'extra', 2 + dice.below(4))
        : undefined,
  };
}

/** Entities always, `<strong>` around the query's words unless decorations are off. */
function descriptionOf(page: Page, asked: BraveQuery): string {
  const plain = sentencesOf(page, 'description', 2).join(' ');
  // Marked with control characters first, which encoding cannot hit.
  const marked = asked.marks ? plain.replace(asked.marks, '\u0001$1\u0002') : plain;
  return marked
    .replaceAll('&', '&amp;')
    .replaceAll("'", '&#x27;')
    .replaceAll('"', '&quot;')
    .replaceAll('\u0001', '<strong>')
    .replaceAll('\u0002', '</strong>');
}

function fetchMetadata(page: Page): JsonObject {
  const fetched = Date.parse(`${page.published}Z`) + HALF_DAY_MS;
  return {
    page_fetched: `${new Date(fetched).toISOString().slice(0, 19)}Z`,
    fetched_content_timestamp: Math.floor(fetched / 1_000),
  };
}

function metaUrl(page: Page): JsonObject {
  const { hostname, pathname } = new URL(page.url);
  return {
    scheme: 'https',
    netloc: hostname.replace(/^www\./, ''),
    hostname,
    favicon: proxied('32', page.site.host),
    path: pathname
      .split('/')
      .filter((part) => part !== '')
      .map((part) => `› ${part}`)
      .join('  '),
  };
}

function thumbnail(page: Page, dice: Dice): JsonObject {
  return {
    src: proxied('200', page.url),
    original: dice.chance(0.75) ? imageOf(page, 'cover') : undefined,
    logo: dice.chance(0.1),
  };
}

function articleOf(page: Page): JsonObject {
  return {
    author: [{ type: 'person', name: page.author }],
    date: page.published.slice(0, 10),
    publisher: { type: 'organization', name: page.site.name },
    isAccessibleForFree: true,
  };
}

function buttonsOf({ url }: Page): JsonObject {
  const titles = ['History', 'Methods', 'Sources'];
  const buttons = titles.map((title) => ({ type: 'button_result', title, url: `${url}#${title}` }));
  return { buttons };
}

/** Pictures come through the vendor's own proxy. */
export function proxied(size: string, source: string): string {
  return `https://imgs.search.example.net/${digest(source).slice(0, 22)}/rs:fit:${size}:${size}:1:0/g:ce/${Buffer.from(source).toString('base64url')}`;
}

/** English text: relative for recent pages, a date for the rest. */
export function ageOf(page: Page): string {
  return agoText(page, { days: 14, hours: '5 hours ago', date: LONG_DATE });
}
