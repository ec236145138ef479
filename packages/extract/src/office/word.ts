import type { ParsedPage } from '@trawl/providers/fetch-declaration';
import { zipSync } from 'fflate';
import type { PageElement } from '../dom/dom.ts';
import { parseHtml } from '../dom/parse-html.ts';
import { relationsOf, textOf } from './parts.ts';
import type { ArchiveParts } from './unpack.ts';
import { readableMarkup } from './word-markup.ts';

/** In addition to the library's own, which are for headings, lists and notes. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  'r.math => span.math',
];

/** The main part and the notes, in whatever folder. */
const HAS_TEXT = /(?:^|\/)(?:document\d*|footnotes|endnotes)\.xml$/;

/**
 * The text of a Word document as HTML, by the library, and what is missing in it. It gets an
 * archive of the parts that were checked, so that it unpacks nothing else.
 */
export async function readWord(parts: ArchiveParts): Promise<WordReading> {
  const { default: mammoth } = await import('mammoth');
  const encoder = new TextEncoder();
  const files: Record<string, Uint8Array> = {};
  let hasOthers = false;
  for (const [name, bytes] of parts.bytes) {
    files[name] = bytes;
    if (!HAS_TEXT.test(name)) continue;
    const text = textOf(parts, name);
    hasOthers ||= text.includes('<w:altChunk');
    files[name] = encoder.encode(readableMarkup(text, relationsOf(parts, name)));
  }
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(files, { level: 0 })) },
    {
      styleMap: STYLES,
      includeEmbeddedStyleMap: false,
      // without what it would read for the bytes of each picture
      convertImage: mammoth.images.imgElement(async ({ contentType }) => ({
        src: `data:${contentType}`,
      })),
    },
  );
  return { content: parseHtml(value).body, remarks: hasOthers ? [OTHERS] : [] };
}

interface WordReading extends Pick<ParsedPage, 'remarks'> {
  readonly content: PageElement;
}

const OTHERS = {
  code: 'upstream_warning',
  message: 'content: without the files of other types that the document takes text from',
} as const;
