import { filled } from '../../shell/templates.ts';
import type { JsonObject } from '../../util/json.ts';
import { type Dice, diceFor, digest } from '../../util/seed.ts';
import { agoText, imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import answer from './answer.json' with { type: 'json' };
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

/** What the templates say of a page in every section. */
export function valuesOf(page: Page, asked: BraveQuery): JsonObject {
  const hasAge = diceFor('brave result', page.topic, page.id).chance(0.85);
  const fetched = Date.parse(`${page.published}Z`) + HALF_DAY_MS;
  const { hostname, pathname } = new URL(page.url);
  const ago = agoText(page, { days: 14, hours: '5 hours ago', date: LONG_DATE });
  const folders = pathname.split('/').filter((part) => part !== '');
  return {
    ...page,
    description: descriptionOf(page, asked),
    page_age: hasAge ? page.published : undefined,
    age: hasAge ? ago : undefined,
    ago,
    day: page.published.slice(0, 10),
    language: asked.language.slice(0, 2),
    ...(asked.fetchMetadata
      ? {
          page_fetched: `${new Date(fetched).toISOString().slice(0, 19)}Z`,
          fetched_content_timestamp: Math.floor(fetched / 1_000),
        }
      : {}),
    hostname,
    netloc: hostname.replace(/^www\./, ''),
    path: folders.map((part) => `› ${part}`).join('  '),
    logo: proxied('32', page.site.host),
    picture: proxied('200', page.url),
  };
}

/** A row of `web.results`. */
export function webRow(page: Page, asked: BraveQuery): JsonObject {
  const values = valuesOf(page, asked);
  const dice = diceFor('brave row', page.topic, page.id);
  const { kind } = page.site;
  const subtype = kind === 'article' || kind === 'news' ? 'article' : 'generic';
  const thumbnail = dice.chance(0.89) ? thumbnailOf(page, dice) : undefined;
  const hasArticle = subtype === 'article' && dice.chance(0.5);
  const hasButtons = kind === 'reference' && dice.chance(0.5);
  const hasSnippets = asked.extraSnippets && dice.chance(0.85);
  return filled(
    { ...answer.result, ...answer.web },
    {
      ...values,
      subtype,
      thumbnail,
      article: hasArticle ? filled(answer.article, values) : undefined,
      deep_results: hasButtons ? filled(answer.deep_results, values) : undefined,
      extra_snippets: hasSnippets ? sentencesOf(page, 'extra', 2 + dice.below(4)) : undefined,
    },
  );
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

function thumbnailOf(page: Page, dice: Dice): JsonObject {
  return {
    src: proxied('200', page.url),
    original: dice.chance(0.75) ? imageOf(page, 'cover') : undefined,
    logo: dice.chance(0.1),
  };
}

/** Pictures come through the vendor's own proxy. */
function proxied(size: string, source: string): string {
  return `https://imgs.search.example.net/${digest(source).slice(0, 22)}/rs:fit:${size}:${size}:1:0/g:ce/${Buffer.from(source).toString('base64url')}`;
}
