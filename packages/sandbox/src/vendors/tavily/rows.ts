import { imageOf, type Page, sentencesOf, textOf } from '../../content.ts';
import { isTrueAt, type JsonObject, numberAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { type Dice, diceFor, digest } from '../../seed.ts';

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'published_date',
  image: { name: 'images', wrap: (value) => [value] },
  snippets: [{ name: 'content' }, { name: 'raw_content' }],
};

/** Optional members come only when the request asked for them; `raw_content` is then null on some rows. */
export function rowOf(page: Page, index: number, body: JsonObject): JsonObject {
  const dice = diceFor('tavily row', page.topic, page.id);
  const score = Math.max(0.05, 0.98 - index * 0.043 - dice.below(30) / 1_000);
  const hasId = dice.chance(0.5);
  const hasRaw = dice.chance(0.9);
  const hasDate = dice.chance(0.8);
  const date = dateOf(page, body, dice);
  return {
    title: page.title,
    url: page.url,
    content: contentOf(page, numberAt(body, 'chunks_per_source') ?? 3),
    score: Math.round(score * 1e7) / 1e7,
    raw_content: hasRaw ? rawContentOf(page, body) : null,
    ...(hasDate && date !== undefined ? { published_date: date } : {}),
    ...(isTrueAt(body, 'include_favicon')
      ? { favicon: `https://${page.site.host}/favicon.ico` }
      : {}),
    ...(isTrueAt(body, 'include_images') ? { images: imagesOf(page, body) } : {}),
    ...(hasId ? { id: digest('tavily id', page.url).slice(0, 12) } : {}),
  };
}

/** Text cut out of the page, with what is left of its markdown. */
function contentOf(page: Page, chunks: number): string {
  const parts = Array.from({ length: chunks }, (_, n) =>
    sentencesOf(page, `chunk ${n}`, 2).join(' '),
  );
  return `# ${page.title} ${parts.join(' [...] ')}`;
}

function rawContentOf(page: Page, { include_raw_content: asked }: JsonObject): string | null {
  if (asked === undefined || asked === null || asked === false) return null;
  return asked === 'text' ? textOf(page).replaceAll('## ', '') : `# ${textOf(page)}`;
}

/** News rows have the spelling of feeds; others a date or a date-time. */
function dateOf(page: Page, body: JsonObject, dice: Dice): string | undefined {
  if (body.topic === 'news') {
    return new Date(`${page.published}Z`).toUTCString();
  }
  if (!isTrueAt(body, 'include_published_date')) return undefined;
  return dice.chance(0.5) ? page.published.slice(0, 10) : `${page.published}Z`;
}

function imagesOf(page: Page, body: JsonObject): readonly unknown[] {
  const dice = diceFor('tavily images', page.topic, page.id);
  return Array.from({ length: dice.below(4) }, (_, n) => imageItem(page, `figure-${n + 1}`, body));
}

/** Images are objects when descriptions are asked for; else both forms occur. */
export function imageItem(page: Page, name: string, body: JsonObject): unknown {
  const url = imageOf(page, name);
  if (isTrueAt(body, 'include_image_descriptions')) {
    return { url, description: sentencesOf(page, name, 1).join('') };
  }
  return diceFor('tavily image form', page.topic, page.id).chance(0.5) ? { url } : url;
}
