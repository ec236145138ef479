import { imageOf, linksOf, type Page, sentencesOf, textOf } from '../../content.ts';
import { filledSchema } from '../../fill-schema.ts';
import { isObject, isTrueAt, type JsonObject, numberAt, objectAt, textAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { diceFor } from '../../seed.ts';

/** A row carries a content field only when the request asked for it. */
export function rowOf(page: Page, body: JsonObject): JsonObject {
  const dice = diceFor('exa row', page.topic, page.id);
  const author = dice.below(55);
  const hasDate = dice.chance(0.85);
  const midnight = dice.chance(0.6) ? '00:00:00' : page.published.slice(11);
  return {
    id: page.url,
    title: page.title,
    url: page.url,
    ...(hasDate ? { publishedDate: `${page.published.slice(0, 10)}T${midnight}.000Z` } : {}),
    author: author < 30 ? page.author : author < 43 ? '' : null,
    ...(dice.chance(0.9) ? { image: imageOf(page, 'cover') } : {}),
    ...(dice.chance(0.9) ? { favicon: `https://${page.site.host}/favicon.ico` } : {}),
    ...contentsOf(page, objectAt(body, 'contents') ?? {}),
    ...entitiesOf(page, textAt(body, 'category')),
  };
}

export const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'publishedDate',
  image: { name: 'image' },
  snippets: [
    { name: 'highlights', wrap: (value) => [value] },
    { name: 'text' },
    { name: 'summary' },
  ],
};

/** The content fields that were asked for. */
export function contentsOf(page: Page, asked: JsonObject): JsonObject {
  const extras = objectAt(asked, 'extras');
  const subpages = numberAt(asked, 'subpages') ?? 0;
  const snapshot = textAt(asked, 'snapshotAsOf');
  return {
    ...(wants(asked.text) ? { text: pageText(page, asked.text) } : {}),
    ...(wants(asked.highlights) ? highlightsOf(page, asked.highlights) : {}),
    ...(wants(asked.summary) ? { summary: summaryOf(page, asked.summary) } : {}),
    ...(extras ? { extras: extrasOf(page, extras) } : {}),
    ...(subpages > 0 ? { subpages: subpagesOf(page, subpages) } : {}),
    ...(snapshot === undefined ? {} : { snapshotAt: `${snapshot.slice(0, 10)}T00:00:00.000Z` }),
  };
}

export function wants(option: unknown): boolean {
  return option === true || isObject(option);
}

function pageText(page: Page, option: unknown): string {
  const plain = textOf(page);
  // About half of the real texts keep the entities of their HTML source.
  const encoded = diceFor('exa entities', page.topic, page.id).chance(0.5)
    ? plain.replaceAll('&', '&amp;').replaceAll("'", '&#x27;')
    : plain;
  const marked = isTrueAt(option, 'includeHtmlTags')
    ? encoded
        .split('\n\n')
        .map((part) => `<p>${part}</p>`)
        .join('\n')
    : encoded;
  return marked.slice(0, numberAt(option, 'maxCharacters'));
}

function highlightsOf(page: Page, option: unknown): JsonObject {
  const dice = diceFor('exa scores', page.topic, page.id);
  let left = numberAt(option, 'maxCharacters') ?? Number.POSITIVE_INFINITY;
  const highlights: string[] = [];
  for (const sentence of sentencesOf(page, 'highlights', 2 + dice.below(2))) {
    if (left <= 0) break;
    highlights.push(sentence.slice(0, left));
    left -= sentence.length;
  }
  return {
    highlights,
    highlightScores: highlights.map((_, index) => (900 - index * 70 - dice.below(60)) / 1_000),
  };
}

/** With a schema the summary is a JSON text. */
function summaryOf(page: Page, option: unknown): string {
  const plain = sentencesOf(page, 'summary', 2).join(' ');
  const schema = objectAt(option, 'schema');
  return schema ? JSON.stringify(filledSchema(schema, plain)) : plain;
}

function extrasOf(page: Page, asked: JsonObject): JsonObject {
  const links = numberAt(asked, 'links') ?? 0;
  const images = Math.min(numberAt(asked, 'imageLinks') ?? 0, 4);
  return {
    ...(links > 0 ? { links: linksOf(page, Math.min(links, 12)) } : {}),
    ...(images > 0
      ? { imageLinks: Array.from({ length: images }, (_, n) => imageOf(page, `figure-${n + 1}`)) }
      : {}),
  };
}

function subpagesOf(page: Page, asked: number): readonly JsonObject[] {
  return Array.from({ length: Math.min(asked, 3) }, (_, index) => {
    const url = `${page.url.split('?')[0]}/part-${index + 1}`;
    return {
      id: url,
      title: `${page.title} (part ${index + 1})`,
      url,
      publishedDate: `${page.published}.000Z`,
      author: page.author,
      text: sentencesOf(page, `subpage ${index}`, 5).join(' '),
    };
  });
}

function entitiesOf(page: Page, category: string | undefined): JsonObject {
  const type = ['company', 'people', 'publication'].find((name) => name === category);
  if (type === undefined) return {};
  const properties =
    type === 'people'
      ? { name: page.author, location: null, workHistory: [] }
      : { name: page.site.name, description: sentencesOf(page, 'entity', 1)[0] ?? null };
  return {
    entities: [
      {
        id: `${page.site.host}/${type}`,
        type: type === 'people' ? 'person' : type,
        version: 1,
        properties,
      },
    ],
  };
}

/** The synthesized `output` of a request with `outputSchema`. */
export function outputOf(schema: JsonObject, pages: readonly Page[]): JsonObject {
  const [first] = pages;
  const plain = first ? sentencesOf(first, 'output', 3).join(' ') : 'Nothing was found.';
  const citations = pages.slice(0, 2).map(({ url, title }) => ({ url, title }));
  const content = schema.type === 'text' ? plain : filledSchema(schema, plain);
  const fields = typeof content === 'string' ? ['content'] : Object.keys(content);
  return {
    content,
    grounding: fields.map((field) => ({ field, citations, confidence: 'medium' })),
  };
}
