import { defineVendor, isSet, listed } from '../../shell/declaration.ts';
import { filterAt } from '../../shell/filters.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { combination, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { type Dice, diceFor, digest, uuidFrom } from '../../util/seed.ts';
import { imageOf, type Page, sentencesOf, textOf } from '../../web/pages.ts';
import { split, type TargetAnswer, targetsOf } from '../../web/target.ts';
import { pageMarkdown, pageText, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

/** Pages are in `results`, everything else in `failed_results`, without a status. */
function extracted(request: VendorRequest, asked: JsonObject): JsonObject {
  const targets = targetsOf(request.faults, listed(asked.urls));
  const { got, errors } = split(targets, api.targets, ({ asked: url }, error) => ({ url, error }));
  const rows = got.map((target) => extractRow(target, asked));
  const price = asked.extract_depth === 'advanced' ? 2 : 1;
  const credits = Math.floor(rows.length / api.successesPerCredit) * price;
  return {
    results: finishRows(request, rows, api.fetchMembers),
    failed_results: errors,
    response_time: (2 + diceFor('tavily extract', request.fingerprint).below(300)) / 100,
    usage: asked.include_usage === true ? { credits } : undefined,
    request_id: uuidFrom(request.fingerprint),
  };
}

function extractRow({ asked: url, page }: TargetAnswer, options: JsonObject): JsonObject {
  const images = page.images.map((image) => image.url);
  return {
    url,
    title: page.title,
    raw_content: extractedText(page, options),
    images: options.include_images === true ? images : undefined,
    favicon: options.include_favicon === true ? page.favicon : undefined,
  };
}

/** With a query, only the matching chunks. */
function extractedText(page: WebPage, options: JsonObject): string {
  const whole = options.format === 'text' ? pageText(page) : pageMarkdown(page);
  if (textAt(options, 'query') === undefined) return whole;
  const chunks = whole.split('\n\n').filter((part) => part.length > 80);
  return chunks.slice(0, numberAt(options, 'chunks_per_source') ?? 3).join(' [...] ');
}

function lengthProblems(asked: JsonObject): readonly Problem[] {
  const message = `The query is too long: the maximum is ${api.queryCharactersMax} characters.`;
  const characters = [...(textAt(asked, 'query') ?? '')].length;
  return characters > api.queryCharactersMax ? [combination(message)] : [];
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const count = numberAt(asked, 'max_results') ?? 5;
  const kind = textAt(asked, 'topic') === 'news' ? 'news' : undefined;
  const filter = filterAt(asked, api.filters);
  const pages = pagesFound(request, { query, count, kind, filter, habits: api.habits });
  const rows = pages.map((page, index) => rowOf(page, index, asked));
  const images = asked.include_images === true ? pages.slice(0, 5) : [];
  // explicit parameters win over those that it chooses
  const automatic = asked.auto_parameters === true ? 'advanced' : 'basic';
  const search_depth = textAt(asked, 'search_depth') ?? automatic;
  const credits = search_depth === 'advanced' ? 2 : 1;
  const chosen = { topic: 'general', search_depth };
  return {
    query,
    follow_up_questions: null,
    answer: answerOf(asked, pages),
    images: images.map((page) => imageItem(page, 'top', asked)),
    results: finishRows(request, rows, api.members),
    response_time: (40 + diceFor('tavily time', request.fingerprint).below(300)) / 100,
    usage: asked.include_usage === true ? { credits } : undefined,
    auto_parameters: asked.auto_parameters === true ? chosen : undefined,
    request_id: uuidFrom(request.fingerprint),
  };
}

/** The member is always present, but only filled on request. */
function answerOf({ include_answer: asked }: JsonObject, pages: readonly Page[]): string | null {
  const [first] = pages;
  if (!first || !isSet(asked) || asked === false) return null;
  return sentencesOf(first, 'answer', asked === 'advanced' ? 4 : 2).join(' ');
}

/** Optional members are only present when requested; `raw_content` is then null in some rows. */
function rowOf(page: Page, index: number, body: JsonObject): JsonObject {
  const dice = diceFor('tavily row', page.topic, page.id);
  const score = Math.max(0.05, 0.98 - index * 0.043 - dice.below(30) / 1_000);
  const hasId = dice.chance(0.5);
  const hasRaw = dice.chance(0.9);
  const hasDate = dice.chance(0.8);
  const date = dateOf(page, body, dice);
  const favicon = `https://${page.site.host}/favicon.ico`;
  return {
    title: page.title,
    url: page.url,
    content: contentOf(page, numberAt(body, 'chunks_per_source') ?? 3),
    score: Math.round(score * 1e7) / 1e7,
    raw_content: hasRaw ? rawContentOf(page, body) : null,
    published_date: hasDate ? date : undefined,
    favicon: body.include_favicon === true ? favicon : undefined,
    images: body.include_images === true ? imagesOf(page, body) : undefined,
    id: hasId ? digest('tavily id', page.url).slice(0, 12) : undefined,
  };
}

/** Extracts of the page's text, with remains of its markdown. */
function contentOf(page: Page, chunks: number): string {
  const chunk = (_: unknown, n: number) => sentencesOf(page, `chunk ${n}`, 2).join(' ');
  const parts = Array.from({ length: chunks }, chunk);
  return `# ${page.title} ${parts.join(' [...] ')}`;
}

function rawContentOf(page: Page, { include_raw_content: asked }: JsonObject): string | null {
  if (!isSet(asked) || asked === false) return null;
  return asked === 'text' ? textOf(page).replaceAll('## ', '') : `# ${textOf(page)}`;
}

/** News rows have dates in the format of feeds, other rows a date or a date-time. */
function dateOf(page: Page, body: JsonObject, dice: Dice): string | undefined {
  if (body.topic === 'news') return new Date(`${page.published}Z`).toUTCString();
  if (body.include_published_date !== true) return undefined;
  return dice.chance(0.5) ? page.published.slice(0, 10) : `${page.published}Z`;
}

function imagesOf(page: Page, body: JsonObject): readonly unknown[] {
  const dice = diceFor('tavily images', page.topic, page.id);
  return Array.from({ length: dice.below(4) }, (_, n) => imageItem(page, `figure-${n + 1}`, body));
}

/** Images are objects when descriptions are requested; otherwise both forms occur. */
function imageItem(page: Page, name: string, body: JsonObject): unknown {
  const url = imageOf(page, name);
  if (body.include_image_descriptions === true) {
    return { url, description: sentencesOf(page, name, 1).join('') };
  }
  return diceFor('tavily image form', page.topic, page.id).chance(0.5) ? { url } : url;
}

const isKeyless = ({ headers }: VendorRequest): boolean =>
  headers['x-tavily-access-mode'] === 'keyless';

/** Tavily. The message texts are ours. */
export const tavily = defineVendor({
  api,
  routes: [
    {
      ...api.search,
      check: lengthProblems,
      isOpen: isKeyless,
      answer: search,
    },
    { ...api.extract, isOpen: isKeyless, answer: extracted },
  ],
});
