import { defineVendor, refuse } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

/** Parts of a date, as precise as the dice say; some works have none. */
function dateOf(page: Page): readonly (number | null)[] {
  const [year = 0, month = 0, day = 0] = page.published.slice(0, 10).split('-').map(Number);
  const dice = diceFor('crossref date', page.topic, page.id);
  if (dice.chance(0.2)) return [null];
  return dice.chance(0.7) ? [year, month, day] : dice.chance(0.5) ? [year, month] : [year];
}

function workOf(page: Page): JsonObject {
  const dice = diceFor('crossref work', page.topic, page.id);
  const [given = '', family = ''] = page.author.split(' ');
  const doi = `10.5555/${digest('work', page.topic, page.id).slice(0, 12)}`;
  const isFigure = dice.chance(0.15);
  const paragraphs = sentencesOf(page, 'abstract', 4).map((line) => `<jats:p>${line}</jats:p>`);
  return {
    DOI: doi,
    URL: `https://doi.org/${doi}`,
    type: isFigure ? 'component' : 'journal-article',
    title: [isFigure ? `Figure 1: ${page.title}` : page.title],
    'container-title': [page.site.name],
    author: dice.chance(0.7) ? [{ given, family, sequence: 'first', affiliation: [] }] : undefined,
    abstract: dice.chance(0.5) ? paragraphs.join('\n') : undefined,
    issued: { 'date-parts': [dateOf(page)] },
    publisher: page.site.name,
    'is-referenced-by-count': dice.below(90),
    score: 10 + dice.below(20),
    license: dice.chance(0.4)
      ? [{ URL: 'https://creativecommons.org/licenses/by/4.0/', 'content-version': 'vor' }]
      : undefined,
  };
}

/** The days of a filter; what is coarser than a day is not used by our adapter. */
function filterIn(text: string | undefined) {
  const dayOf = (name: string) =>
    text
      ?.split(',')
      .find((part) => part.startsWith(`${name}:`))
      ?.slice(name.length + 1);
  return filterOf({ after: dayOf('from-pub-date'), before: dayOf('until-pub-date') });
}

/** Crossref's REST API. The texts of its errors are ours. */
export const crossref = defineVendor({
  api,
  readKey: () => undefined,
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const selected = String(asked.select ?? '').split(',');
        const unknown = selected.find((name) => name !== '' && !api.selectable.includes(name));
        if (unknown) refuse({ status: 400, code: 'select-not-available', message: unknown });
        const query = String(asked.query ?? '');
        const count = Number(asked.rows ?? api.rowsDefault);
        const filter = filterIn(typeof asked.filter === 'string' ? asked.filter : undefined);
        const items = rowsFound(request, { ...api, habits: {} }, { query, count, filter }, workOf);
        const message = {
          facets: {},
          'total-results': items.length,
          items,
          'items-per-page': count,
        };
        return { status: 'ok', 'message-type': 'work-list', 'message-version': '1.0.0', message };
      },
    },
  ],
});
