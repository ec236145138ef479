import { filled } from '../../shell/templates.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { imageOf, type Page, pagesFor, sentencesOf, topicOf } from '../../web/pages.ts';
import answer from './answer.json' with { type: 'json' };
import type { BraveQuery } from './query.ts';
import { valuesOf } from './rows.ts';

/** A section in addition to `web`: https://api-dashboard.search.brave.com/app/documentation/web-search/responses */
interface Section {
  readonly type: string;
  /** Only pages of such sites. */
  readonly kind?: string;
  /** Goggles could change its order. */
  readonly isRanked?: boolean;
  readonly rowsMax?: number;
  readonly row: JsonObject;
}

const SECTIONS: Readonly<Record<string, Section>> = answer.sections;

/** Sections come and go with the query; one that the filter names is always there. */
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

/** How a page would interleave the sections; an entry for a whole section has no index. */
export function mixedOf(webRows: number, sections: Iterable<string>): JsonObject {
  const names = [...sections];
  const main: JsonObject[] = Array.from({ length: webRows }, (_, index) => ({
    type: 'web',
    index,
    all: false,
  }));
  const inMain = names.filter((name) => name !== 'infobox');
  for (const [order, type] of inMain.entries()) main.splice(2 + order * 3, 0, { type, all: true });
  const side = names.filter((name) => name === 'infobox').map((type) => ({ type, all: true }));
  return { type: 'mixed', main, top: [], side };
}

/** A common question has less of the page than rows of the other sections. */
function rowOf(section: string, page: Page, asked: BraveQuery, index: number): JsonObject {
  const common = section === 'faq' ? {} : answer.result;
  const values = { ...valuesOf(page, asked), ...VALUES[section]?.(page, asked, index) };
  return filled({ ...common, ...SECTIONS[section]?.row }, values);
}

/** What the templates of single sections say of a page. */
const VALUES: Readonly<
  Record<string, (page: Page, asked: BraveQuery, index: number) => JsonObject>
> = {
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
