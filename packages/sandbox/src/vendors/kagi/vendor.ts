import { defineVendor } from '../../shell/declaration.ts';
import { filterAt } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import { serpBlocks } from '../../web/serp.ts';
import api from './api.json' with { type: 'json' };

/** Only address and title are always present; texts have entities. */
function rowOf(page: Page): JsonObject {
  const dice = diceFor('kagi row', page.topic, page.id);
  return {
    url: page.url,
    title: page.title.replaceAll("'", '&#39;'),
    snippet: dice.chance(0.9) ? sentencesOf(page, 'snippet', 1)[0] : undefined,
    time: dice.chance(0.6) ? `${page.published}Z` : undefined,
    image: dice.chance(0.4) ? { url: imageOf(page, 'thumbnail'), height: 90 } : undefined,
    props: { language: 'en' },
  };
}

/** Buckets without content are left out. */
function found(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const page = numberAt(asked, 'page') ?? 1;
  const limit = numberAt(asked, 'limit') ?? api.pageRows;
  const filter = filterAt(asked, api.filters);
  // the limit only cuts what was found
  const count = Math.min(limit, api.pageRows);
  const start = (page - 1) * api.pageRows;
  const rows = rowsFound(request, api, { query, start, count, filter }, rowOf);
  const meta = { trace: request.fingerprint.slice(0, 32), node: 'sandbox', ms: 213 };
  if (request.faults.rows === 'empty') return { meta, data: {} };
  const { name, reference, stories, questions, related } = serpBlocks('kagi', query);
  return {
    meta,
    data: {
      search: rows,
      direct_answer: [{ url: reference.url, title: reference.title, snippet: reference.answer }],
      infobox: [{ url: reference.url, title: name, snippet: reference.description }],
      news: stories.map(({ title, url }) => ({ title, url })),
      adjacent_question: questions.map(({ title, url, question }) => ({
        title,
        url,
        props: { question },
      })),
      related_search: related.map((title) => ({ title, url: '/search' })),
    },
  };
}

/** Kagi's search, v1. */
export const kagi = defineVendor({ api, routes: [{ ...api.search, answer: found }] });
