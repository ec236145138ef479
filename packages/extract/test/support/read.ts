import { type ContentFormat, PAGE_FIELDS } from '@trawl/contract';
import type { PageVerdict, ParsedPage } from '@trawl/providers';
import { extractPage } from '../../src/documents/extract-page.ts';
import type { Download } from '../../src/input/types.ts';

export interface Given extends Partial<Omit<Download, 'body'>> {
  readonly body: string | Uint8Array;
  readonly format?: ContentFormat;
}

/** Extracts a body with all fields. */
export async function read(given: Given | string): Promise<ParsedPage | PageVerdict> {
  const {
    body,
    format = 'markdown',
    ...rest
  } = typeof given === 'string' ? { body: given } : given;
  const reading = await extractPage(
    {
      url: 'https://site.example/path/page.html',
      status: 200,
      contentType: 'text/html; charset=utf-8',
      contentLanguage: null,
      ...rest,
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    },
    { contentFormat: format, fields: new Set(PAGE_FIELDS) },
  );
  return reading.kind === 'page' ? reading.page : reading.verdict;
}

export async function readPage(given: Given | string): Promise<ParsedPage> {
  const page = await read(given);
  if ('code' in page) throw new Error(`no page: ${page.code} ${page.reason}`);
  return page;
}

/** The content of a body with this markup. */
export async function contentOf(
  markup: string,
  format: ContentFormat = 'markdown',
): Promise<string> {
  return (await readPage({ body: `<html><body>${markup}</body></html>`, format })).content ?? '';
}
