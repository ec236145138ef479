import { defineVendor } from '../../shell/declaration.ts';
import { filterAt } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, objectAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, type Page, sentencesOf, textOf } from '../../web/pages.ts';
import { serpBlocks } from '../../web/serp.ts';
import api from './api.json' with { type: 'json' };

/** Only address and title are always present; texts have entities. */
function rowOf(page: Page, isRead: boolean): JsonObject {
  const dice = diceFor('kagi row', page.topic, page.id);
  return {
    url: page.url,
    title: page.title.replaceAll("'", '&#39;'),
    snippet: isRead ? pageText(page) : snippetOf(page, dice.chance(0.9)),
    time: dice.chance(0.6) ? `${page.published}Z` : undefined,
    image: dice.chance(0.4) ? { url: imageOf(page, 'thumbnail'), height: 90 } : undefined,
    props: { language: 'en' },
  };
}

const snippetOf = (page: Page, isThere: boolean) =>
  isThere ? sentencesOf(page, 'snippet', 1)[0] : undefined;

const pageText = (page: Page): string => `# ${page.title}\n\n${textOf(page)}`;

/** Buckets without content are left out. The text of pages that are read replaces snippets. */
function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const page = numberAt(asked, 'page') ?? 1;
  const limit = numberAt(asked, 'limit') ?? api.pageRows;
  const filter = filterAt(asked, api.filters);
  // the limit only cuts what was found
  const count = Math.min(limit, api.pageRows);
  const start = (page - 1) * api.pageRows;
  const read = numberAt(objectAt(asked, 'extract'), 'count') ?? 0;
  const rows = rowsFound(request, api, { query, start, count, filter }, (found, index) =>
    rowOf(found, index < read),
  );
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

/** Its documents show both words. A key that begins with `bot-` is known by the older one only. */
const KEY = /^(Bearer|Bot) (\S+)$/;

/** Kagi's search, v1. */
export const kagi = defineVendor({
  api,
  readKey({ headers }) {
    const [, word, key] = KEY.exec(headers.authorization ?? '') ?? [];
    return key?.startsWith('bot-') && word === 'Bearer' ? undefined : key;
  },
  routes: [{ ...api.search, answer: search }],
});
