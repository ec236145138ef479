import { type Page, SANDBOX_NOW, sentencesOf } from '../../content.ts';
import type { JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { diceFor } from '../../seed.ts';

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'date',
  snippets: [{ name: 'snippet' }],
};

const DAY_MS = 86_400_000;
const RELATIVE_DAYS_MAX = 7;
const SHORT_DATE = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** News rows and some web rows have a date; papers have members of their own. */
export function rowOf(page: Page, position: number, domainType: string): JsonObject {
  const dice = diceFor('tinyfish row', page.topic, page.id);
  const isNews = domainType === 'news';
  const isDated = dice.chance(0.35);
  return {
    position,
    site_name: page.site.host,
    title: page.title,
    snippet: `${sentencesOf(page, 'snippet', 2).join(' ')} ...`,
    url: page.url,
    ...(isNews || (isDated && domainType === 'web') ? { date: dateOf(page) } : {}),
    ...(isNews ? { publisher: page.site.name } : {}),
    ...(domainType === 'research_paper' ? paperOf(page) : {}),
  };
}

/** As people write it: relative in the first week. */
function dateOf({ published }: Page): string {
  const moment = new Date(`${published}Z`);
  const days = Math.floor((Date.parse(`${SANDBOX_NOW}Z`) - moment.getTime()) / DAY_MS);
  if (days >= RELATIVE_DAYS_MAX) return SHORT_DATE.format(moment);
  return days < 1 ? '3 hours ago' : `${days} ${days === 1 ? 'day' : 'days'} ago`;
}

/** The names of these members are a guess: the document tells only that there are such. */
function paperOf(page: Page): JsonObject {
  return {
    authors: [page.author],
    venue: page.site.name,
    year: Number(page.published.slice(0, 4)),
    citation_count: diceFor('tinyfish citations', page.topic, page.id).below(400),
  };
}
