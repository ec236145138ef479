import { zipSync } from 'fflate';
import type { PageElement } from '../dom/dom.ts';
import { parseHtml } from '../dom/parse-html.ts';
import { textOf } from './parts.ts';
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
 * The text of a Word document as HTML, by the library. It gets an archive of the parts that were
 * checked, so that it unpacks nothing else.
 */
export async function readWord(parts: ArchiveParts): Promise<PageElement> {
  const { default: mammoth } = await import('mammoth');
  const encoder = new TextEncoder();
  const files: Record<string, Uint8Array> = {};
  for (const [name, bytes] of parts.bytes)
    files[name] = HAS_TEXT.test(name) ? encoder.encode(readableMarkup(textOf(parts, name))) : bytes;
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
  return parseHtml(value).body;
}
