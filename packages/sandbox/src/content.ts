import {
  HEADINGS,
  ORGANISATIONS,
  PEOPLE,
  PLACES,
  SENTENCES,
  SITES,
  type Site,
  TITLES,
} from './content-words.ts';
import { withoutDirectives } from './directives.ts';
import { type Dice, diceFor, digest } from './seed.ts';

/** One fictional page about a topic. The same topic and id give the same page, whoever asks. */
export interface Page {
  /** The seed of everything on the page. */
  readonly id: string;
  readonly topic: string;
  readonly site: Site;
  readonly url: string;
  readonly title: string;
  readonly author: string;
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  readonly published: string;
}

/** How a vendor's URLs differ from those of others: the share of rows with each difference. */
export interface UrlHabits {
  readonly tracking?: number;
  readonly slash?: number;
  readonly www?: number;
}

/** The moment at which every answer is given. */
export const SANDBOX_NOW = '2026-06-30T12:00:00';

const DAY_MS = 86_400_000;
const OLDEST_DAYS = 2_400;
/** What leaves a URL comparable once tracking parameters are removed. */
const SAFE_HABITS: UrlHabits = { tracking: 0.3 };
const RECENT_SHARE = 0.15;
const SHARED_SHARE = 0.65;
const TOPIC_CHARACTERS_MAX = 80;
const QUERY_CHARACTERS_READ = 1_000;
const SENTENCES_PER_PAGE = HEADINGS.length * 6;

/** What a query is about: its words without directives and closing punctuation. */
export function topicOf(query: string): string {
  const words = withoutDirectives(query)
    .slice(0, QUERY_CHARACTERS_READ)
    .replace(/[\s?!.,;:]+$/, '');
  if (words.length <= TOPIC_CHARACTERS_MAX) return words === '' ? 'everyday research' : words;
  const cut = words.slice(0, TOPIC_CHARACTERS_MAX);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 20)).trimEnd();
}

/** Who asks for which pages. */
export interface PageRequest {
  readonly vendor: string;
  readonly query: string;
  readonly start: number;
  readonly count: number;
  readonly habits?: UrlHabits;
  /** Only sites of this kind. */
  readonly kind?: Site['kind'];
}

/**
 * The pages a vendor finds for a query. Two thirds come from a ranking that all vendors share, the best page
 * among them; neighbours swap places, and the rest is the vendor's own.
 */
export function pagesFor(request: PageRequest): readonly Page[] {
  const { vendor, query, start, count, habits = {}, kind } = request;
  const topic = topicOf(query);
  const sites = kind === undefined ? SITES : SITES.filter((site) => site.kind === kind);
  return Array.from({ length: count }, (_, index) => {
    const rank = start + index;
    const slot = diceFor('swap', vendor, topic, rank >> 1).chance(0.4) ? rank ^ 1 : rank;
    const dice = diceFor('slot', vendor, topic, slot);
    const shared = slot === 0 || dice.chance(SHARED_SHARE);
    const page = pageAt(topic, sites, slot, shared ? '' : vendor);
    return { ...page, url: dressed(page.url, slot === 0 ? SAFE_HABITS : habits, dice) };
  });
}

/** The page at one place of a ranking: the shared one, or that of `owner`. */
function pageAt(topic: string, sites: readonly Site[], slot: number, owner: string): Page {
  const place = slot + diceFor('place', topic, owner).below(sites.length);
  const site = sites[place % sites.length] ?? SITES[0];
  const id = `${site.kind}${slot}${owner}`;
  const dice = diceFor('page', topic, id);
  const title = filled(TITLES[place % TITLES.length] ?? TITLES[0], topic, dice);
  const lap = Math.floor(slot / sites.length);
  // A page of one vendor alone must not meet a shared one at the same address.
  const suffix = owner === '' ? (lap > 0 ? `-${lap + 1}` : '') : `-${digest(id).slice(0, 5)}`;
  const slug = `${slugOf(title)}${suffix}`;
  const path = site.kind === 'video' ? `${site.folder}?v=${slug}` : `${site.folder}/${slug}`;
  return {
    id,
    topic,
    site,
    url: `https://${site.host}/${path}`,
    title,
    author: dice.pick(PEOPLE),
    published: publishedOn(dice),
  };
}

/** A moment before `SANDBOX_NOW`, more often a recent one than chance would have it. */
export function publishedOn(dice: Dice): string {
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
    const value = wordFor(name.toLowerCase(), topic, dice) ?? whole;
    return /^[A-Z]/.test(name) ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  });
}

function wordFor(name: string, topic: string, dice: Dice): string | undefined {
  switch (name) {
    case 'topic':
      return topic;
    case 'word': {
      const words = topic.split(' ').filter((word) => word.length > 3);
      return words[dice.below(words.length)] ?? topic;
    }
    case 'place':
      return dice.pick(PLACES);
    case 'org':
      return dice.pick(ORGANISATIONS);
    case 'person':
      return dice.pick(PEOPLE);
    case 'n':
      return String(20 + dice.below(180));
    case 'm':
      return String(2 + dice.below(17));
    case 'year':
      return String(2019 + dice.below(8));
    default:
      return undefined;
  }
}

/** `count` neighbouring sentences of the page's text; another `part` gives another place. */
export function sentencesOf(page: Page, part: string, count: number): readonly string[] {
  const last = Math.max(1, SENTENCES_PER_PAGE - count);
  const first = diceFor('part', page.topic, page.id, part).below(last);
  return Array.from({ length: count }, (_, index) => sentenceAt(page, first + index));
}

function sentenceAt(page: Page, index: number): string {
  const offset = diceFor('first sentence', page.topic, page.id).below(SENTENCES.length);
  const template = SENTENCES[(offset + index * 7) % SENTENCES.length] ?? SENTENCES[0];
  return filled(template, page.topic, diceFor('sentence', page.topic, page.id, index));
}

/** The body of a page: paragraphs of three sentences under each heading. */
export function sectionsOf(page: Page) {
  const sentences = (from: number) => [0, 1, 2].map((n) => sentenceAt(page, from + n)).join(' ');
  return HEADINGS.map((heading, index) => ({
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
  return Array.from({ length: count }, (_, index) => pageAt(page.topic, SITES, index, '').url);
}

export function imageOf(page: Page, name: string): string {
  return `https://${page.site.host}/media/${slugOf(page.topic)}-${name}.png`;
}
