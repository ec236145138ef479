import { imageOf, type Page, sentencesOf } from '../../content.ts';
import type { JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { diceFor } from '../../seed.ts';

/** Rows: https://docs.linkup.so/pages/documentation/endpoints/search */

export const ROW_MEMBERS: RowMembers = {
  title: 'name',
  url: 'url',
  image: { name: 'favicon' },
  snippets: [{ name: 'content' }, { name: 'snippet' }],
};

const IMAGE_EVERY = 4;

/** Text items, with an image item in place of every fourth one when images were asked for. */
export function itemsOf(pages: readonly Page[], withImages: boolean): readonly JsonObject[] {
  return pages.map((page, index) =>
    withImages && index % IMAGE_EVERY === IMAGE_EVERY - 1 ? imageItem(page) : textItem(page),
  );
}

function imageItem(page: Page): JsonObject {
  return { type: 'image', name: page.title, url: imageOf(page, 'cover') };
}

export function textItem(page: Page): JsonObject {
  return {
    type: 'text',
    name: page.title,
    url: page.url,
    content: contentOf(page),
    favicon: faviconOf(page),
  };
}

/** A source of a written answer. */
export function sourceOf(page: Page): JsonObject {
  const hasSnippet = diceFor('linkup snippet', page.topic, page.id).chance(0.9);
  return {
    name: page.title,
    url: page.url,
    snippet: hasSnippet ? (sentencesOf(page, 'snippet', 1)[0] ?? '') : '',
    favicon: faviconOf(page),
  };
}

/** Several extracts, one a line; some come twice and some keep the entities of their HTML source. */
function contentOf(page: Page): string {
  const dice = diceFor('linkup content', page.topic, page.id);
  const lines = sentencesOf(page, 'extracts', 2 + dice.below(9));
  const [first = ''] = lines;
  const content = [...lines, ...(dice.chance(0.3) ? [first] : [])].join('\n');
  return dice.chance(0.2) ? content.replaceAll("'", '&#x27;').replaceAll('"', '&quot;') : content;
}

function faviconOf(page: Page): string {
  const found = diceFor('linkup favicon', page.topic, page.id).chance(0.85);
  return found ? `https://favicons.example.net?domain=${page.site.host}` : '';
}
