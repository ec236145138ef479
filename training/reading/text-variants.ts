import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { DOMParser } from 'linkedom';
import TurndownService from 'turndown';
import { decodeHtml } from '../../packages/extract/src/charset/charset.ts';
import { extractPage } from '../../packages/extract/src/documents/extract-page.ts';
import { parseHtml } from '../../packages/extract/src/dom/parse-html.ts';
import { pageKind } from '../../packages/extract/src/facts/page-kind.ts';
import { writeContent } from '../../packages/extract/src/markdown/blocks.ts';
import { IMAGE, LINK } from '../../packages/extract/src/markdown/marks.ts';
import { createWriting } from '../../packages/extract/src/markdown/writing.ts';
import { removeInvisible } from '../../packages/extract/src/rules/clean.ts';
import { completeBody } from '../../packages/extract/src/rules/complete-body.ts';
import { applyRules } from '../../packages/extract/src/rules/rules.ts';
import type { BenchmarkPage } from './benchmark-pages.ts';

/** A text of a page as a provider may send it, from good to bad. */
export interface TextVariant {
  readonly name: string;
  readonly content: string;
}

/** Texts of one page: those of readers, the whole page, and parts that are no good. */
export async function textVariants(page: BenchmarkPage): Promise<readonly TextVariant[]> {
  const html = decodeHtml(page.html, 'text/html');
  const markdown = await readAs(page, 'markdown');
  const whole = wholeText(html, page.url);
  const lines = markdown.split('\n\n');
  const start = lines.slice(0, Math.max(2, Math.ceil(lines.length * 0.2))).join('\n\n');
  const kept = new Set(lines);
  const around = whole
    .split('\n\n')
    .filter((line) => !kept.has(line))
    .join('\n\n');
  return [
    { name: 'direct', content: markdown },
    { name: 'direct_text', content: await readAs(page, 'text') },
    { name: 'rules', content: ruledText(html, page.url) },
    { name: 'readability', content: readabilityText(html) },
    { name: 'whole', content: whole },
    { name: 'start', content: start },
    { name: 'around', content: around },
    { name: 'description', content: descriptionOf(html) },
  ].filter(({ content }) => content.trim() !== '');
}

async function readAs(page: BenchmarkPage, contentFormat: 'markdown' | 'text'): Promise<string> {
  const reading = await extractPage(
    {
      url: page.url,
      status: 200,
      contentType: 'text/html',
      contentLanguage: null,
      body: page.html,
    },
    { contentFormat, fields: new Set() },
  );
  return (reading.kind === 'page' && reading.page.content) || '';
}

function wholeText(html: string, url: string): string {
  const document = parseHtml(html);
  completeBody(document);
  removeInvisible(document.body);
  return writeContent(document.body, createWriting('markdown', url));
}

function ruledText(html: string, url: string): string {
  const document = parseHtml(html);
  completeBody(document);
  const kind = pageKind(document, url);
  removeInvisible(document.body);
  return writeContent(
    applyRules(document, kind, (node) => node.remove()).root,
    createWriting('markdown', url),
  );
}

/** Readability and turndown with their defaults. */
function readabilityText(html: string): string {
  try {
    const document = new DOMParser().parseFromString(html, 'text/html');
    const article = new Readability(document as never).parse();
    const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
    service.use(gfm);
    return article?.content ? service.turndown(article.content) : '';
  } catch {
    // it cannot read every page
    return '';
  }
}

function descriptionOf(html: string): string {
  const [tag] = parseHtml(html).findAll(
    'meta[name="description"], meta[property="og:description"]',
  );
  return tag?.getAttribute('content') ?? '';
}

/** Addresses and images are not words of the page. */
export const withoutMarks = (markdown: string): string =>
  markdown.replace(IMAGE, ' ').replace(LINK, '$1');
