import { defineVendor } from '../../shell/declaration.ts';
import { filterOf, firstDayOfSpan, sitesIn } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, linksOf, type Page, sentencesOf } from '../../web/pages.ts';
import { SERP_IMAGE, serpBlocks, serpDate } from '../../web/serp.ts';
import api from './api.json' with { type: 'json' };

/** A row of `organic`: only its first members are always present. */
function organicRow(page: Page, index: number): JsonObject {
  const dice = diceFor('serper row', page.topic, page.id);
  const [first] = linksOf(page, 1);
  const image = dice.chance(0.3) ? SERP_IMAGE : imageOf(page, 'thumbnail');
  return {
    title: page.title,
    link: page.url,
    snippet: dice.chance(0.95) ? sentencesOf(page, 'snippet', 1)[0] : undefined,
    date: dice.chance(0.4) ? serpDate(page) : undefined,
    imageUrl: dice.chance(0.4) ? image : undefined,
    sitelinks: dice.chance(0.2) ? [{ title: 'Part 1', link: first }] : undefined,
    position: index + 1,
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const q = textAt(asked, 'q') ?? '';
  const num = numberAt(asked, 'num') ?? api.pageRows;
  const page = numberAt(asked, 'page') ?? 1;
  const after = firstDayOfSpan(textAt(asked, 'tbs'));
  const filter = filterOf({ ...sitesIn(q), after });
  // Google gives a page of ten, whatever is asked
  const count = Math.min(num, api.pageRows);
  const start = (page - 1) * api.pageRows;
  const rows = rowsFound(request, api, { query: q, start, count, filter }, organicRow);
  const { gl = 'us', hl = 'en' } = asked;
  const searchParameters = { q, gl, hl, type: 'search', num, page, engine: 'google' };
  if (request.faults.rows === 'empty') return { searchParameters, credits: 1 };
  const { name, reference, stories, questions, related } = serpBlocks('serper', q);
  return {
    searchParameters,
    answerBox: { title: reference.title, link: reference.url, snippet: reference.answer },
    knowledgeGraph: {
      title: name,
      type: 'Topic',
      imageUrl: SERP_IMAGE,
      description: reference.description,
      descriptionSource: reference.site.name,
      descriptionLink: reference.url,
    },
    organic: rows,
    topStories: stories.map((story) => ({
      title: story.title,
      link: story.url,
      source: story.site.name,
      date: serpDate(story),
      imageUrl: SERP_IMAGE,
    })),
    peopleAlsoAsk: questions.map(({ question, answer: snippet, title, url: link }) => ({
      question,
      snippet,
      title,
      link,
    })),
    relatedSearches: related.map((query) => ({ query })),
    credits: num > api.pageRows ? 2 : 1,
  };
}

/** Serper's search of Google. A 429 comes without a time to wait. */
export const serper = defineVendor({
  api,
  readText: (request) => textAt(request.json(), 'q') ?? '',
  routes: [{ ...api.search, answer: search }],
});
