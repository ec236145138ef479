import { combination, combined, type Problem } from '../../shell/schema.ts';
import { filledSchema } from '../../shell/templates.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import {
  isObject,
  isTrueAt,
  type JsonObject,
  numberAt,
  objectAt,
  textAt,
} from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, linksOf, type Page, sentencesOf, textOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

/** What a search and `/contents` have in common: the content options and the rows. */

export const ROW = {
  title: 'title',
  url: 'url',
  date: 'publishedDate',
  image: { name: 'image' },
  snippets: [
    { name: 'highlights', wrap: (value: string) => [value] },
    { name: 'text' },
    { name: 'summary' },
  ],
};

/** Content options that do not go together. */
export function optionProblems(
  options: JsonObject,
  { headers }: VendorRequest,
): readonly Problem[] {
  const problems = combined(api.combinations, options);
  const isDynamic = isTrueAt(options.highlights, 'dynamic');
  const isBeta = headers['exa-beta']?.includes('dynamic-highlights-') ?? false;
  if (problems.length > 0 || !isDynamic || isBeta) return problems;
  return [
    combination('highlights.dynamic needs the Exa-Beta header', undefined, 'INVALID_REQUEST'),
  ];
}

/** The content fields that were asked for. */
export function contentsOf(page: Page, asked: JsonObject): JsonObject {
  const extras = objectAt(asked, 'extras');
  const subpages = numberAt(asked, 'subpages') ?? 0;
  const snapshot = textAt(asked, 'snapshotAsOf');
  return {
    text: wants(asked.text) ? pageText(page, asked.text) : undefined,
    ...(wants(asked.highlights) ? highlightsOf(page, asked.highlights) : {}),
    summary: wants(asked.summary) ? summaryOf(page, asked.summary) : undefined,
    extras: extras ? extrasOf(page, extras) : undefined,
    subpages: subpages > 0 ? subpagesOf(page, subpages) : undefined,
    snapshotAt: snapshot === undefined ? undefined : `${snapshot.slice(0, 10)}T00:00:00.000Z`,
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
  const named = Array.from({ length: images }, (_, n) => imageOf(page, `figure-${n + 1}`));
  return {
    links: links > 0 ? linksOf(page, Math.min(links, 12)) : undefined,
    imageLinks: images > 0 ? named : undefined,
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

/** A price in USD, without the errors of binary fractions. */
export function dollars(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
