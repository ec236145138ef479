import { defineVendor } from '../../shell/declaration.ts';
import { dayOfAmerican, filterOf, sitesIn } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, linksOf, type Page, SANDBOX_NOW, sentencesOf } from '../../web/pages.ts';
import { SERP_IMAGE, serpBlocks, serpDate } from '../../web/serp.ts';
import api from './api.json' with { type: 'json' };

/** A row of `organic_results`: only its first members are always present. */
function organicRow(page: Page, index: number): JsonObject {
  const dice = diceFor('searchapi row', page.topic, page.id);
  const [first] = linksOf(page, 1);
  const thumbnail = dice.chance(0.5) ? SERP_IMAGE : imageOf(page, 'thumbnail');
  return {
    position: index + 1,
    title: page.title,
    link: page.url,
    source: page.site.name,
    domain: page.site.host,
    displayed_link: `https://${page.site.host} › ${page.site.folder.split('/')[0]}`,
    snippet: dice.chance(0.95) ? sentencesOf(page, 'snippet', 1)[0] : undefined,
    date: dice.chance(0.4) ? serpDate(page) : undefined,
    favicon: SERP_IMAGE,
    thumbnail: dice.chance(0.5) ? thumbnail : undefined,
    sitelinks: dice.chance(0.2) ? { inline: [{ title: 'Part 1', link: first }] } : undefined,
  };
}

function search(request: VendorRequest): JsonObject {
  const { query, fingerprint } = request;
  const q = query.get('q') ?? '';
  const page = Number(query.get('page') ?? 1);
  const filter = filterOf({
    ...sitesIn(q),
    after: dayOfAmerican(query.get('time_period_min') ?? undefined),
    before: dayOfAmerican(query.get('time_period_max') ?? undefined),
  });
  const start = (page - 1) * api.pageRows;
  const wanted = { query: q, start, count: api.pageRows, filter };
  const rows = rowsFound(request, api, wanted, organicRow);
  const stored = `https://www.searchapi.example/api/v1/searches/${fingerprint.slice(0, 16)}`;
  const head = {
    search_metadata: {
      id: `search_${fingerprint.slice(0, 16)}`,
      status: 'Success',
      created_at: `${SANDBOX_NOW}Z`,
      total_time_taken: 1.15,
      html_url: `${stored}.html`,
      json_url: stored,
    },
    search_parameters: { gl: 'us', hl: 'en', ...Object.fromEntries(query) },
  };
  if (request.faults.rows === 'empty') return head;
  const { name, reference, stories, questions, related } = serpBlocks('searchapi', q);
  return {
    ...head,
    search_information: { query_displayed: q, total_results: 8_100_000 },
    answer_box: {
      type: 'organic_result',
      title: reference.title,
      link: reference.url,
      snippet: reference.answer,
    },
    ai_overview: { page_token: 'c2FuZGJveA' },
    knowledge_graph: {
      title: name,
      type: 'Topic',
      description: reference.description,
      source: { name: reference.site.name, link: reference.url },
      image: SERP_IMAGE,
    },
    organic_results: rows,
    related_questions: questions.map(({ question, answer, title, url: link }) => ({
      question,
      answer,
      source: { title, link },
    })),
    related_searches: related.map((words) => ({ query: words })),
    top_stories: stories.map(({ title, url: link }) => ({ title, link, thumbnail: SERP_IMAGE })),
    pagination: { current: page },
  };
}

/** SearchApi with the engine google. The texts of its errors are ours. */
export const searchapi = defineVendor({
  api,
  readText: ({ query }) => query.get('q') ?? '',
  routes: [{ ...api.search, answer: search }],
});
