import { imageOf, type Page, sentencesOf, textOf } from '../../content.ts';
import { type JsonObject, objectAt, textAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { type Dice, diceFor } from '../../seed.ts';

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'page_age',
  image: { name: 'thumbnail_url' },
  snippets: [
    { name: 'description' },
    { name: 'snippets', wrap: (value) => [value] },
    { name: 'contents', wrap: (value) => ({ markdown: value }) },
  ],
};

/** A row of `web` or `news`. Every member but the address may be missing; news have fewer. */
export function rowOf(page: Page, body: JsonObject, section: 'web' | 'news'): JsonObject {
  const dice = diceFor('you row', page.topic, page.id);
  const isWeb = section === 'web';
  const highlights = textAt(objectAt(body, 'extraction'), 'extraction_mode') === 'highlights';
  const contents = contentsOf(page, body, section);
  const hasImage = dice.chance(0.75);
  const hasAge = dice.chance(0.8);
  const hasAuthors = dice.chance(0.4);
  return {
    url: page.url,
    title: page.title,
    description: sentencesOf(page, 'description', 1).join(''),
    ...(isWeb && !highlights ? { snippets: snippetsOf(page, dice) } : {}),
    ...(hasImage ? { thumbnail_url: imageOf(page, 'cover') } : {}),
    ...(hasAge ? { page_age: page.published } : {}),
    ...(isWeb && hasAuthors ? { authors: [page.author] } : {}),
    ...(isWeb ? { favicon_url: `https://${page.site.host}/favicon?size=128` } : {}),
    ...(contents && dice.chance(0.9) ? { contents } : {}),
  };
}

function snippetsOf(page: Page, dice: Dice): readonly string[] {
  return dice.chance(0.1) ? [] : sentencesOf(page, 'snippets', 2 + dice.below(3));
}

/** Page text or highlights, where they were asked for this section. */
function contentsOf(page: Page, body: JsonObject, section: string): JsonObject | undefined {
  const extraction = objectAt(body, 'extraction');
  const livecrawl = textAt(body, 'livecrawl');
  if (textAt(extraction, 'extraction_mode') === 'highlights') {
    return { highlights: sentencesOf(page, 'highlights', 3) };
  }
  if (extraction) return pageText(page, objectAt(extraction, 'full_page')?.extraction_formats);
  return livecrawl === 'all' || livecrawl === section
    ? pageText(page, body.livecrawl_formats)
    : undefined;
}

function pageText(page: Page, formats: unknown): JsonObject {
  const asked: readonly unknown[] = Array.isArray(formats) ? formats : ['markdown'];
  const text = textOf(page);
  const paragraphs = text.split('\n\n').map((part) => `<p>${part}</p>`);
  return {
    ...(asked.includes('markdown') ? { markdown: `# ${text}` } : {}),
    ...(asked.includes('html') ? { html: `<html><body>${paragraphs.join('')}</body></html>` } : {}),
  };
}
