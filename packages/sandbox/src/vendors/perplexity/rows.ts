import { type Page, textOf } from '../../content.ts';
import { type JsonObject, numberAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { diceFor } from '../../seed.ts';

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'date',
  snippets: [{ name: 'snippet' }],
};

const TOKENS_DEFAULT = 10_000;
const TOKENS_PER_PAGE_DEFAULT = 4_096;
const CHARACTERS_PER_TOKEN = 4;

/** How much text each row gets: the budget over all rows, shared out, and the one per page. */
export function charactersPerRow(body: JsonObject, rows: number): number {
  const overall = numberAt(body, 'max_tokens') ?? TOKENS_DEFAULT;
  const perPage = numberAt(body, 'max_tokens_per_page') ?? TOKENS_PER_PAGE_DEFAULT;
  return CHARACTERS_PER_TOKEN * Math.min(perPage, Math.max(1, Math.floor(overall / rows)));
}

/** Dates are days; one row in five has none, and some say nothing of their last change. */
export function rowOf(page: Page, characters: number): JsonObject {
  const dice = diceFor('perplexity row', page.topic, page.id);
  const day = page.published.slice(0, 10);
  const isDated = dice.chance(0.8);
  const isLong = dice.chance(0.2);
  return {
    title: isLong ? `${page.title.slice(0, 24)} ...` : page.title,
    url: page.url,
    snippet: `# ${textOf(page)}`.slice(0, characters),
    date: isDated ? day : null,
    ...(dice.chance(0.8) ? { last_updated: isDated ? day : null } : {}),
  };
}
