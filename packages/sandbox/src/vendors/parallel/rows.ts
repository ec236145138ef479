import { linksOf, type Page, sentencesOf } from '../../content.ts';
import { type JsonObject, numberAt, objectAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { diceFor } from '../../seed.ts';

const EXCERPT_CHARACTERS_LEAST = 1_000;

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'publish_date',
  snippets: [{ name: 'excerpts', wrap: (value) => [value] }],
};

/** Dates are missing more often than not; titles and excerpts now and then. */
export function rowOf(page: Page, body: JsonObject): JsonObject {
  const dice = diceFor('parallel row', page.topic, page.id);
  const hasTitle = dice.chance(0.93);
  const hasDate = dice.chance(0.45);
  return {
    url: page.url,
    title: hasTitle ? page.title : null,
    publish_date: hasDate ? page.published.slice(0, 10) : null,
    excerpts: dice.chance(0.95) ? excerptsOf(page, body) : [],
  };
}

/** Markdown in long pieces, some below an artificial heading, some with links relative to their site. */
function excerptsOf(page: Page, body: JsonObject): readonly string[] {
  const dice = diceFor('parallel excerpts', page.topic, page.id);
  const settings = objectAt(objectAt(body, 'advanced_settings'), 'excerpt_settings');
  const asked = numberAt(settings, 'max_chars_per_result') ?? Number.POSITIVE_INFINITY;
  const [link = ''] = linksOf(page, 1);
  let left = Math.max(asked, EXCERPT_CHARACTERS_LEAST);
  return Array.from({ length: 1 + dice.below(3) }, (_, index) => {
    const plain = sentencesOf(page, `excerpt ${index}`, 4 + dice.below(5)).join(' ');
    const linked = `${plain} [Read on](${new URL(link).pathname}).`;
    return dice.chance(0.5) ? `Section Title: ${page.title}\nContent:\n${linked}` : linked;
  }).flatMap((excerpt) => {
    const kept = excerpt.slice(0, Math.max(0, left));
    left -= kept.length;
    return kept === '' ? [] : [kept];
  });
}
