import { imageOf, type Page, sentencesOf } from '../../content.ts';
import type { JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { type Dice, diceFor } from '../../seed.ts';

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'publishedDate',
  image: { name: 'thumbnail' },
  snippets: [{ name: 'content' }],
};

/** Engines of this instance; the names are made up. */
const ENGINES = ['north search', 'open index', 'pond', 'kite'] as const;

/** A row merged from all engines that found the page. */
export function rowOf(page: Page, index: number, category: string): JsonObject {
  const dice = diceFor('searxng row', page.topic, page.id);
  const engines = enginesOf(dice);
  const positions = engines.map(() => index + 1 + dice.below(3));
  const { protocol, host, pathname, search } = new URL(page.url);
  const hasDate = dice.chance(0.35);
  const isVideo = page.site.kind === 'video';
  return {
    url: page.url,
    title: page.title,
    content: sentencesOf(page, 'content', 2).join(' '),
    publishedDate: hasDate ? page.published : null,
    ...(hasDate ? { pubdate: page.published.replace('T', ' ') } : {}),
    thumbnail: dice.chance(0.3) ? imageOf(page, 'thumb') : dice.chance(0.5) ? null : '',
    engine: engines[0],
    template: isVideo ? 'videos.html' : 'default.html',
    parsed_url: [protocol.slice(0, -1), host, pathname, '', search.slice(1), ''],
    img_src: '',
    priority: '',
    ...(isVideo ? videoOf(page) : {}),
    engines,
    positions,
    score: positions.reduce((sum, position) => sum + engines.length / position, 0),
    category,
  };
}

function enginesOf(dice: Dice): readonly string[] {
  const chosen = ENGINES.filter(() => dice.chance(0.5));
  return chosen.length > 0 ? chosen : [dice.pick(ENGINES)];
}

function videoOf(page: Page): JsonObject {
  return { author: page.author, length: '12:34', iframe_src: `https://${page.site.host}/embed` };
}
