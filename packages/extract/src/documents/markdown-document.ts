import { trimEndOf } from '@trawl/contract/texts';
import { pageRead } from '@trawl/providers/fetch-declaration';
import { decodeText } from '../charset/charset.ts';
import type { DocumentReading, Download, ExtractionOptions } from '../input/types.ts';
import { factsIn, readFrontMatter } from '../markdown-source/front-matter.ts';
import { resolveLinks } from '../markdown-source/links.ts';
import { plainMarkdown } from '../markdown-source/plain-text.ts';
import { documentFacts, tidy } from './text-document.ts';

/**
 * Reads markdown: its text as it is, with absolute addresses, and what its front matter says as
 * facts. As plain text it is written like a page in HTML.
 */
export function readMarkdown(download: Download, options: ExtractionOptions): DocumentReading {
  const source = decodeText(download.body, download.contentType).text;
  const { values, body } = readFrontMatter(tidy(source));
  const { text, links, images } = resolveLinks(body.trim(), download.url);
  const isStated = Object.keys(values).length > 0;
  return pageRead({
    ...documentFacts(download, options, source),
    title: firstHeading(body),
    ...factsIn(values, download.url),
    content: options.contentFormat === 'markdown' ? text : plainMarkdown(text),
    links,
    images,
    metadata: { source: 'markdown', ...(isStated ? { front_matter: values } : {}) },
  });
}

/** A longer line is not a title. */
const TITLE_MAX_CHARACTERS = 300;
/** How far into a document a title is searched for. */
const TITLE_WITHIN_CHARACTERS = 65_536;

/** The first heading of level one, below front matter that was not understood. */
function firstHeading(body: string): string | null {
  const lines = body.slice(0, TITLE_WITHIN_CHARACTERS).split('\n');
  const end = lines[0]?.trimEnd() === '---' ? lines.indexOf('---', 1) : -1;
  for (const line of lines.slice(end + 1)) {
    if (!/^#\s/.test(line)) continue;
    const heading = trimEndOf(line.slice(1).trim(), '#').trim();
    if (heading !== '' && heading.length <= TITLE_MAX_CHARACTERS) return heading;
  }
  return null;
}
