import { withoutDirectives } from '../faults/brackets.ts';
import { type Dice, diceFor, digest } from '../util/seed.ts';
/**
 * The words of fictional pages. `{topic}`, `{word}` and other placeholders are filled in for each
 * page.
 */
import lists from './words.json' with { type: 'json' };

/** Hosts are on reserved domains, so that none of them can exist. */
export interface FictionalSite {
  readonly host: string;
  readonly name: string;
  /** `article`, `reference`, `news`, `forum`, `video` or `shop`. */
  readonly kind: string;
  readonly folder: string;
}

/** One fictional page about a topic. The same topic and id give every vendor the same page. */
export interface Page {
  /** The seed of everything on the page. */
  readonly id: string;
  readonly topic: string;
  readonly site: FictionalSite;
  readonly url: string;
  readonly title: string;
  readonly author: string;
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  readonly published: string;
}

/**
 * How a vendor's URLs differ from those of other vendors: the share of rows with each difference.
 */
interface UrlHabits {
  readonly tracking?: number;
  readonly slash?: number;
  readonly www?: number;
}

/** The fixed time of every answer. */
export const SANDBOX_NOW = '2026-06-30T12:00:00';

export const DAY_MS = 86_400_000;
const OLDEST_DAYS = 2_400;
/** URLs that are equal without their tracking parameters. */
const SAFE_HABITS: UrlHabits = { tracking: 0.3 };
const RECENT_SHARE = 0.15;
const SHARED_SHARE = 0.65;
const TOPIC_CHARACTERS_MAX = 80;
const QUERY_CHARACTERS_READ = 1_000;
/** Ranks that a search with filters looks at. */
const RANKS_FILTERED = 200;
const SENTENCES_PER_PAGE = lists.headings.length * 6;

/** What a query is about: its words without directives and closing punctuation. */
export function topicOf(query: string): string {
  const words = withoutSites(withoutDirectives(query).slice(0, QUERY_CHARACTERS_READ)).replace(
    /[\s?!.,;:]+$/,
    '',
  );
  if (words.length <= TOPIC_CHARACTERS_MAX) return words === '' ? 'everyday research' : words;
  const cut = words.slice(0, TOPIC_CHARACTERS_MAX);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 20)).trimEnd();
}

const isSite = (word = ''): boolean => /^-?site:/.test(word);
/** A language or a country. */
const isPlace = (word: string): boolean => /^(?:lang|loc):[a-z]{2}$/.test(word);

/** The words of a query without operators, and the `OR` between them. */
function withoutSites(query: string): string {
  const words = query.split(' ');
  const isOperator = (word: string, index: number) =>
    isSite(word) || isPlace(word) || (word === 'OR' && isSite(words[index - 1]));
  return words.filter((word, index) => !isOperator(word, index)).join(' ');
}

/** Which pages a search returns. */
export interface PageFilter {
  /** Hosts, their subdomains included; empty or absent = all. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Days, inclusive. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** Hosts are a preference: one row of another host is among the others. */
  readonly isSoft?: boolean;
}

function passes({ site, published }: Page, filter: PageFilter): boolean {
  const { include = [], exclude = [], after, before } = filter;
  const isOf = (host: string) => site.host === host || site.host.endsWith(`.${host}`);
  const day = published.slice(0, 10);
  if (include.length > 0 && !include.some(isOf)) return false;
  if (exclude.some(isOf) || (after !== undefined && day < after)) return false;
  return before === undefined || day <= before;
}

/** A vendor's request for pages. */
export interface PageRequest {
  readonly vendor: string;
  readonly query: string;
  /** The rank of the first page, from 0. */
  readonly start: number;
  readonly count: number;
  readonly habits?: UrlHabits | undefined;
  /** Only sites of this kind. */
  readonly kind?: string | undefined;
  readonly filter?: PageFilter | undefined;
}

/**
 * The pages that a vendor finds for a query. Two thirds come from a ranking that all vendors share,
 * including the best page, with some neighbours swapped. The rest is the vendor's own.
 */
export function pagesFor(request: PageRequest): readonly Page[] {
  const { vendor, query, start, count, habits = {}, kind, filter } = request;
  const topic = topicOf(query);
  const sites = kind === undefined ? lists.sites : lists.sites.filter((site) => site.kind === kind);
  const pageOf = (rank: number): Page => {
    const slot = diceFor('swap', vendor, topic, rank >> 1).chance(0.4) ? rank ^ 1 : rank;
    const dice = diceFor('slot', vendor, topic, slot);
    const shared = slot === 0 || dice.chance(SHARED_SHARE);
    const page = pageAt(topic, sites, slot, shared ? '' : vendor);
    return { ...page, url: dressed(page.url, slot === 0 ? SAFE_HABITS : habits, dice) };
  };
  if (filter === undefined) {
    return Array.from({ length: count }, (_, index) => pageOf(start + index));
  }
  const ranked = Array.from({ length: RANKS_FILTERED }, (_, rank) => pageOf(rank));
  const found = ranked.filter((page) => passes(page, filter));
  const { after, before, isSoft } = filter;
  const stray = isSoft
    ? ranked.find((page) => !passes(page, filter) && passes(page, { after, before }))
    : undefined;
  const rows = stray ? [...found.slice(0, 1), stray, ...found.slice(1)] : found;
  return rows.slice(start, start + count);
}

/** The page at one rank of a ranking: the shared ranking, or that of `owner`. */
function pageAt(topic: string, sites: readonly FictionalSite[], slot: number, owner: string): Page {
  const place = slot + diceFor('place', topic, owner).below(sites.length);
  const site = at(sites, place);
  const id = `${site.kind}${slot}${owner}`;
  const dice = diceFor('page', topic, id);
  const title = filled(at(lists.titles, place).title, topic, dice);
  const lap = Math.floor(slot / sites.length);
  // A vendor's own page must not have the same URL as a shared one.
  const suffix = owner === '' ? (lap > 0 ? `-${lap + 1}` : '') : `-${digest(id).slice(0, 5)}`;
  const slug = `${slugOf(title)}${suffix}`;
  const path = site.kind === 'video' ? `${site.folder}?v=${slug}` : `${site.folder}/${slug}`;
  return {
    id,
    topic,
    site,
    url: `https://${site.host}/${path}`,
    title,
    author: dice.pick(lists.people),
    published: publishedOn(dice),
  };
}

/** The entry at an index, wrapping around at the end of the list. */
function at<T>(list: readonly T[], index: number): T {
  const [entry] = list.slice(index % list.length);
  if (entry === undefined) throw new RangeError('the list is empty');
  return entry;
}

/** A time before `SANDBOX_NOW`; recent times are more likely. */
function publishedOn(dice: Dice): string {
  const days = dice.chance(RECENT_SHARE) ? dice.below(12) : dice.below(OLDEST_DAYS);
  const moment = new Date(Date.parse(`${SANDBOX_NOW}Z`) - days * DAY_MS - dice.below(DAY_MS / 2));
  return moment.toISOString().slice(0, 19);
}

function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug.slice(0, 60).replace(/-$/, '');
}

function dressed(url: string, habits: UrlHabits, dice: Dice): string {
  if (dice.chance(habits.tracking ?? 0)) {
    return `${url}${url.includes('?') ? '&' : '?'}utm_source=search&utm_medium=organic`;
  }
  if (dice.chance(habits.slash ?? 0) && !url.includes('?')) return `${url}/`;
  return dice.chance(habits.www ?? 0) ? url.replace('https://', 'https://www.') : url;
}

function filled(template: string, topic: string, dice: Dice): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = WORDS[name.toLowerCase()]?.(topic, dice) ?? whole;
    return /^[A-Z]/.test(name) ? capital(value) : value;
  });
}

/** The text of a placeholder; each draws its own random numbers. */
const WORDS: Readonly<Record<string, (topic: string, dice: Dice) => string>> = {
  topic: (topic) => topic,
  word: (topic, dice) => {
    const words = topic.split(' ').filter((word) => word.length > 3);
    return words[dice.below(words.length)] ?? topic;
  },
  place: (_topic, dice) => dice.pick(lists.places),
  org: (_topic, dice) => dice.pick(lists.organisations),
  person: (_topic, dice) => dice.pick(lists.people),
  n: (_topic, dice) => String(20 + dice.below(180)),
  m: (_topic, dice) => String(2 + dice.below(17)),
  year: (_topic, dice) => String(2019 + dice.below(8)),
};

/** `count` consecutive sentences of the page's text; `part` decides where they start. */
export function sentencesOf(page: Page, part: string, count: number): readonly string[] {
  const last = Math.max(1, SENTENCES_PER_PAGE - count);
  const first = diceFor('part', page.topic, page.id, part).below(last);
  return Array.from({ length: count }, (_, index) => sentenceAt(page, first + index));
}

function sentenceAt(page: Page, index: number): string {
  const offset = diceFor('first sentence', page.topic, page.id).below(lists.sentences.length);
  const template = at(lists.sentences, offset + index * 7);
  return filled(template, page.topic, diceFor('sentence', page.topic, page.id, index));
}

/** The body of a page: paragraphs of three sentences under each heading. */
export function sectionsOf(page: Page) {
  const sentences = (from: number) => [0, 1, 2].map((n) => sentenceAt(page, from + n)).join(' ');
  return lists.headings.map((heading, index) => ({
    heading,
    paragraphs: [sentences(index * 6), sentences(index * 6 + 3)],
  }));
}

/** The whole page as text: its title, then sections under headings, a few KB in all. */
export function textOf(page: Page): string {
  const sections = sectionsOf(page).map(
    ({ heading, paragraphs }) => `## ${heading}\n\n${paragraphs.join('\n\n')}`,
  );
  return `${page.title}\n\n${sections.join('\n\n')}\n`;
}

export function linksOf(page: Page, count: number): readonly string[] {
  return Array.from(
    { length: count },
    (_, index) => pageAt(page.topic, lists.sites, index, '').url,
  );
}

export function imageOf(page: Page, name: string): string {
  return `https://${page.site.host}/media/${slugOf(page.topic)}-${name}.png`;
}

/**
 * How long ago a page was published, as people write it in English: relative for recent pages, then
 * a date.
 */
export function agoText(
  page: Page,
  { days: most, hours, date }: { days: number; hours: string; date: Intl.DateTimeFormat },
): string {
  const published = Date.parse(`${page.published}Z`);
  const days = Math.floor((Date.parse(`${SANDBOX_NOW}Z`) - published) / DAY_MS);
  if (days >= most) return date.format(published);
  if (days < 1) return hours;
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** The page at a URL of the fictional web. A page that a search found has the same title here. */
export function pageOfUrl(url: URL): Page {
  const host = url.hostname.replace(/^www\./, '');
  const path = url.pathname.replace(/\/+$/, '');
  const id = digest('page at', host, path, url.search).slice(0, 12);
  const slug = url.searchParams.get('v') ?? path.slice(path.lastIndexOf('/') + 1);
  const { topic, title } = titleOfSlug(slug.replace(/\.[a-z]{2,5}$/, ''));
  const dice = diceFor('page at', id);
  return {
    id,
    topic,
    site: lists.sites.find((site) => site.host === host) ?? unnamedSite(host),
    url: url.href,
    title,
    author: dice.pick(lists.people).replace(/\s+/g, ' '),
    published: publishedOn(dice),
  };
}

function unnamedSite(host: string): FictionalSite {
  const name = capital(host.split('.')[0] ?? host);
  return { host, name, kind: 'article', folder: 'pages' };
}

/** Restores a title from its slug, in the form of this web's titles. */
function titleOfSlug(slug: string): { readonly topic: string; readonly title: string } {
  const words = slug.toLowerCase().replace(/-(\d|[0-9a-f]{5})$/, '');
  for (const { pattern, title } of SLUG_PATTERNS) {
    const found = pattern.exec(words)?.groups;
    if (!found) continue;
    const value = (name: string) => (found[name.toLowerCase()] ?? '').replaceAll('-', ' ');
    const filled = title.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      name === 'topic' ? value(name) : capitals(value(name), name),
    );
    return { topic: value('topic'), title: filled };
  }
  const topic = words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || 'everyday research';
  return { topic, title: capital(topic) };
}

function capitals(value: string, name: string): string {
  return name === 'place' ? value.split(' ').map(capital).join(' ') : capital(value);
}

/** Each title template with the pattern of the slugs made from it. */
const SLUG_PATTERNS = lists.titles.map(({ title, slug }) => ({ title, pattern: new RegExp(slug) }));

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
