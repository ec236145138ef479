import type { JsonObject } from '../../util/json.ts';
import { type Dice, diceFor, digest } from '../../util/seed.ts';
import { filled } from '../../util/templates.ts';
import { agoText, imageOf, type Page, pagesFor, sentencesOf, topicOf } from '../../web/pages.ts';
import answer from './answer.json' with { type: 'json' };
import type { BraveQuery } from './query.ts';

/**
 * A section in addition to `web`:
 * https://api-dashboard.search.brave.com/app/documentation/web-search/responses
 */
interface Section {
  readonly type: string;
  /** Only pages of such sites. */
  readonly kind?: string;
  /** Whether goggles can change its order. */
  readonly isRanked?: boolean;
  readonly rowsMax?: number;
  readonly row: JsonObject;
}

const SECTIONS: Readonly<Record<string, Section>> = answer.sections;

/** The sections depend on the query; one that the filter names is always present. */
export function sectionsOf(asked: BraveQuery): ReadonlyMap<string, JsonObject> {
  const topic = topicOf(asked.q);
  const sections = new Map<string, JsonObject>();
  for (const [name, { type, kind, isRanked, rowsMax }] of Object.entries(SECTIONS)) {
    if (!hasSection(name, asked, topic)) continue;
    const count = 2 + diceFor('section size', name, topic).below(4);
    const vendor = `brave ${name}`;
    const pages = pagesFor({ vendor, query: asked.q, start: 0, count, kind }).slice(0, rowsMax);
    const results = pages.map((page, index) => rowOf(name, page, asked, index));
    sections.set(name, { type, results, mutated_by_goggles: isRanked ? false : undefined });
  }
  return sections;
}

function hasSection(name: string, asked: BraveQuery, topic: string): boolean {
  if (asked.filter) return asked.filter.has(name);
  if (name === 'locations') return /\bnear\b/i.test(topic);
  return diceFor('section', name, topic).chance(0.8);
}

/** How a page interleaves the sections; the entry of a whole section does not have an index. */
export function mixedOf(webRows: number, sections: Iterable<string>): JsonObject {
  const names = [...sections];
  const row = (_: unknown, index: number): JsonObject => ({ type: 'web', index, all: false });
  const main = Array.from({ length: webRows }, row);
  const inMain = names.filter((name) => name !== 'infobox');
  for (const [order, type] of inMain.entries()) main.splice(2 + order * 3, 0, { type, all: true });
  const side = names.filter((name) => name === 'infobox').map((type) => ({ type, all: true }));
  return { type: 'mixed', main, top: [], side };
}

/** A common question has fewer members of the page than rows of other sections. */
function rowOf(section: string, page: Page, asked: BraveQuery, index: number): JsonObject {
  const common = section === 'faq' ? {} : answer.result;
  const values = { ...valuesOf(page, asked), ...VALUES[section]?.(page, asked, index) };
  return filled({ ...common, ...SECTIONS[section]?.row }, values);
}

type ValuesOf = (page: Page, asked: BraveQuery, index: number) => JsonObject;

/** The values of a page for the templates of single sections. */
const VALUES: Readonly<Record<string, ValuesOf>> = {
  news: (page, { extraSnippets }) => ({
    extra_snippets: extraSnippets ? sentencesOf(page, 'extra', 2) : undefined,
  }),
  videos(page, _asked, index) {
    const dice = diceFor('video', page.topic, page.id);
    const twoDigits = (number: number) => String(number).padStart(2, '0');
    const duration = `${twoDigits(1 + dice.below(58))}:${twoDigits(dice.below(60))}`;
    const tags = page.topic.split(' ').slice(0, 2);
    const video = filled(answer.video, { ...page, duration, views: dice.below(900_000), tags });
    return { video: index === 1 ? {} : video, original: imageOf(page, 'frame') };
  },
  discussions(page) {
    const dice = diceFor('discussion', page.topic, page.id);
    return {
      answers: dice.below(40),
      score: String(dice.below(300)),
      question: sentencesOf(page, 'question', 1)[0],
      comment: sentencesOf(page, 'comment', 2).join(' '),
    };
  },
  faq: (page, _asked, index) => ({
    opener: answer.openers[index % answer.openers.length],
    answer: sentencesOf(page, 'answer', 2).join(' '),
  }),
  infobox: (page) => ({
    long: sentencesOf(page, 'long', 4).join(' '),
    original: imageOf(page, 'portrait'),
  }),
  locations(page) {
    const dice = diceFor('location', page.topic, page.id);
    return {
      id: digest('location', page.url).slice(0, 24),
      coordinates: [40 + dice.below(1_000) / 100, -70 - dice.below(1_000) / 100],
      street: 1 + dice.below(90),
    };
  },
};

/** Rows: https://api-dashboard.search.brave.com/app/documentation/web-search/responses */

const HALF_DAY_MS = 43_200_000;
const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** The values of a page for the templates of every section. */
function valuesOf(page: Page, asked: BraveQuery): JsonObject {
  const hasAge = diceFor('brave result', page.topic, page.id).chance(0.85);
  const halfDayLater = Date.parse(`${page.published}Z`) + HALF_DAY_MS;
  const fetched = asked.fetchMetadata ? halfDayLater : undefined;
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
    page_fetched: fetched && `${new Date(fetched).toISOString().slice(0, 19)}Z`,
    fetched_content_timestamp: fetched && Math.floor(fetched / 1_000),
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
  const own = {
    subtype,
    thumbnail,
    article: hasArticle ? filled(answer.article, values) : undefined,
    deep_results: hasButtons ? filled(answer.deep_results, values) : undefined,
    extra_snippets: hasSnippets ? sentencesOf(page, 'extra', 2 + dice.below(4)) : undefined,
  };
  return filled({ ...answer.result, ...answer.web }, { ...values, ...own });
}

/** Always with entities; `<strong>` around the query's words unless decorations are off. */
function descriptionOf(page: Page, asked: BraveQuery): string {
  const plain = sentencesOf(page, 'description', 2).join(' ');
  // First marked with control characters, which the encoding leaves unchanged.
  const marked = asked.marks ? plain.replace(asked.marks, '\u0001$1\u0002') : plain;
  return marked
    .replaceAll('&', '&amp;')
    .replaceAll("'", '&#x27;')
    .replaceAll('"', '&quot;')
    .replaceAll('\u0001', '<strong>')
    .replaceAll('\u0002', '</strong>');
}

function thumbnailOf(page: Page, dice: Dice): JsonObject {
  const original = dice.chance(0.75) ? imageOf(page, 'cover') : undefined;
  return { src: proxied('200', page.url), original, logo: dice.chance(0.1) };
}

/** Images are served by the vendor's own proxy. */
function proxied(size: string, source: string): string {
  return `https://imgs.search.example.net/${digest(source).slice(0, 22)}/rs:fit:${size}:${size}:1:0/g:ce/${Buffer.from(source).toString('base64url')}`;
}
