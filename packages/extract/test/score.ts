import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { DOMParser } from 'linkedom';
import TurndownService from 'turndown';
import { extractPage } from '../src/documents/extract-page.ts';
import { FIRST_ARTICLES } from './corpus/first-articles.ts';
import { FIRST_OTHERS } from './corpus/first-others.ts';
import { FIRST_PLACES } from './corpus/first-places.ts';
import { type CorpusPage, truthOf, wholesOf } from './corpus/page.ts';
import { SECOND_ARTICLES } from './corpus/second-articles.ts';
import { SECOND_OTHERS } from './corpus/second-others.ts';
import { SECOND_PLACES } from './corpus/second-places.ts';

export const CORPUS: readonly CorpusPage[] = [
  ...FIRST_ARTICLES,
  ...FIRST_OTHERS,
  ...FIRST_PLACES,
  ...SECOND_ARTICLES,
  ...SECOND_OTHERS,
  ...SECOND_PLACES,
];

export interface Score {
  readonly page: CorpusPage;
  readonly ours: number;
  /** Readability and turndown with their defaults, the title before the text. */
  readonly plain: number;
  /** Code blocks and table rows of the expected text that are missing or incomplete in ours. */
  readonly broken: readonly string[];
  readonly content: string;
}

export async function scoreAll(): Promise<readonly Score[]> {
  return Promise.all(CORPUS.map(score));
}

async function score(page: CorpusPage): Promise<Score> {
  const html = page.chrome(page);
  const reading = await extractPage(
    {
      url: 'https://site.example/page',
      status: 200,
      contentType: 'text/html; charset=utf-8',
      contentLanguage: null,
      body: new TextEncoder().encode(html),
    },
    { contentFormat: 'markdown', fields: new Set() },
  );
  const content = (reading.kind === 'page' && reading.page.content) || '';
  const truth = tokens(truthOf(page));
  return {
    page,
    ours: f1(tokens(withoutMarks(content)), truth),
    plain: f1(tokens(withoutMarks(plainExtraction(html))), truth),
    broken: brokenParts(page, content),
    content,
  };
}

function plainExtraction(html: string): string {
  const document = new DOMParser().parseFromString(html, 'text/html');
  const article = new Readability(document as never).parse();
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.use(gfm);
  return `${article?.title ?? ''}\n\n${service.turndown(article?.content ?? '')}`;
}

function brokenParts(page: CorpusPage, content: string): string[] {
  const { code, rows } = wholesOf(page.blocks);
  const lines = new Set(
    content.split('\n').map((line) => line.replaceAll('`', '').replace(/\s+/g, ' ')),
  );
  return [
    ...code.filter((block) => !content.includes(`\n${block}\n\`\`\``)),
    ...rows
      .map((row) => `| ${row.join(' | ')} |`.replace(/\s+/g, ' '))
      .filter((row) => !lines.has(row)),
  ];
}

/** Addresses and images are not words of the page. */
function withoutMarks(markdown: string): string {
  return markdown.replace(/!\[[^\]]*\]\([^)]*\)/g, ' ').replace(/\]\([^)]*\)/g, ' ');
}

/** Words, or characters in scripts without spaces. */
function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\u3040-\u30ff\u4e00-\u9fff]|[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function f1(found: readonly string[], wanted: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of wanted) left.set(token, (left.get(token) ?? 0) + 1);
  let hits = 0;
  for (const token of found) {
    const more = left.get(token) ?? 0;
    if (more > 0) {
      hits += 1;
      left.set(token, more - 1);
    }
  }
  return hits === 0 ? 0 : (2 * hits) / (found.length + wanted.length);
}

export interface Mean {
  readonly name: string;
  readonly pages: number;
  readonly ours: number;
  readonly plain: number;
}

/** Means per group of pages. */
export function meansBy(scores: readonly Score[], part: (page: CorpusPage) => string): Mean[] {
  const groups = grouped(scores, part);
  return [...groups].map(([name, group]) => ({
    name,
    pages: group.length,
    ours: group.reduce((sum, { ours }) => sum + ours, 0) / group.length,
    plain: group.reduce((sum, { plain }) => sum + plain, 0) / group.length,
  }));
}

function grouped(
  scores: readonly Score[],
  part: (page: CorpusPage) => string,
): Map<string, Score[]> {
  const groups = new Map<string, Score[]>();
  for (const score of scores) {
    const name = part(score.page);
    groups.set(name, [...(groups.get(name) ?? []), score]);
  }
  return groups;
}
