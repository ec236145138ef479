import { defineVendor } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function hitOf(page: Page): JsonObject {
  const dice = diceFor('hackernews hit', page.topic, page.id);
  const [id, isLink] = [String(10_000_000 + dice.below(30_000_000)), dice.chance(0.7)];
  const time = Date.parse(`${page.published}Z`);
  const lines = sentencesOf(page, 'post', 3);
  return {
    objectID: id,
    title: isLink ? page.title : `Ask HN: ${page.title}`,
    url: isLink ? page.url : undefined,
    author: page.author.toLowerCase().replace(/\W+/g, '_'),
    points: dice.below(400),
    num_comments: dice.below(200),
    story_text: isLink ? undefined : `It&#x27;s so.<p>${lines.join('<p>')}`,
    created_at: `${page.published}Z`,
    created_at_i: time / 1_000,
    story_id: Number(id),
    _tags: ['story', `story_${id}`],
    _highlightResult: { title: { value: `<em>${page.title}</em>`, matchLevel: 'full' } },
  };
}

/** The days of the filters, whose ends are the first seconds of days. */
function daysIn(text: string | undefined) {
  const timeAfter = (sign: string) => {
    const part = text?.split(',').find((one) => one.startsWith(`created_at_i${sign}`));
    const seconds = Number(part?.replace(/^\D+/, ''));
    return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
  };
  const dayOf = (time: number | undefined) =>
    time === undefined ? undefined : new Date(time).toISOString().slice(0, 10);
  const before = timeAfter('<');
  return filterOf({
    after: dayOf(timeAfter('>=')),
    before: dayOf(before === undefined ? undefined : before - 1),
  });
}

/** Algolia's search of Hacker News. The texts of its errors are ours. */
export const hackernews = defineVendor({
  api,
  readKey: () => undefined,
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const query = String(asked.query ?? '');
        const hitsPerPage = Number(asked.hitsPerPage ?? api.hitsDefault);
        const filters = asked.numericFilters;
        const filter = daysIn(typeof filters === 'string' ? filters : undefined);
        const hits = rowsFound(request, api, { query, count: hitsPerPage, filter }, hitOf);
        const counts = { nbHits: hits.length, page: 0, nbPages: 1, hitsPerPage };
        return { hits, ...counts, query, params: request.search.slice(1), processingTimeMS: 3 };
      },
    },
  ],
});
