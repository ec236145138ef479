import { defineVendor } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

const OWN_HOSTS: Readonly<Record<string, string>> = {
  stackoverflow: 'stackoverflow.com',
  serverfault: 'serverfault.com',
  superuser: 'superuser.com',
};

function questionOf(page: Page, host: string, hasBody: boolean): JsonObject {
  const dice = diceFor('stackexchange question', page.topic, page.id);
  const [id, user] = [1_000 + dice.below(70_000_000), dice.below(9_000_000)];
  const slug = page.title.toLowerCase().replace(/\W+/g, '-');
  const paragraphs = sentencesOf(page, 'question', 4).map((line) => `<p>${line}</p>`);
  return {
    tags: ['sandbox'],
    owner: {
      account_id: user,
      user_id: user,
      user_type: 'registered',
      display_name: page.author,
      link: `https://${host}/users/${user}`,
    },
    is_answered: dice.chance(0.7),
    view_count: dice.below(90_000),
    answer_count: dice.below(9),
    score: dice.below(300) - 5,
    creation_date: Date.parse(`${page.published}Z`) / 1_000,
    question_id: id,
    content_license: dice.chance(0.9) ? 'CC BY-SA 4.0' : undefined,
    link: `https://${host}/questions/${id}/${slug}`,
    title: page.title,
    body: hasBody ? paragraphs.join('\n') : undefined,
  };
}

const dayOf = (seconds: unknown): string | undefined =>
  seconds === undefined ? undefined : new Date(Number(seconds) * 1_000).toISOString().slice(0, 10);

/** Stack Exchange's API. The texts of its errors are ours. */
export const stackexchange = defineVendor({
  api,
  readKey: ({ query }) => query.get('key') ?? undefined,
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const site = String(asked.site);
        const host = OWN_HOSTS[site] ?? `${site}.stackexchange.com`;
        const hasBody = asked.filter === 'withbody';
        const filter = filterOf({ after: dayOf(asked.fromdate), before: dayOf(asked.todate) });
        const wanted = {
          query: String(asked.q ?? ''),
          count: Number(asked.pagesize ?? api.sizeDefault),
          filter,
        };
        const rowOf = (page: Page) => questionOf(page, host, hasBody);
        const items = rowsFound(request, { ...api, habits: {} }, wanted, rowOf);
        return { items, has_more: true, quota_max: 300, quota_remaining: 287 };
      },
    },
  ],
});
