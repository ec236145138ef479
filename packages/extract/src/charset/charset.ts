import { isAscii, isUtf8 } from 'node:buffer';
import { guessCharset } from './charset-guess.ts';

/** The text of a page, and its character set. */
export interface Decoded {
  readonly text: string;
  readonly charset: string;
}

/** The document's own declaration is near its start. */
const DECLARED_WITHIN = 4096;

/** Names that servers add to every header, whatever the content. */
const LATIN = new Set(['iso-8859-1', 'windows-1252', 'us-ascii', 'iso-8859-15']);

/**
 * Decodes a page. A byte order mark wins, then the header, then what the document declares, as long
 * as the bytes don't prove it wrong. Without any of them it is guessed from the bytes.
 */
export function decodeText(body: Uint8Array, contentType: string | null): Decoded {
  const charset = byteOrderMark(body) ?? utf16Without(body) ?? chosenCharset(body, contentType);
  const text = new TextDecoder(charset).decode(body);
  return { text: charset === 'windows-1252' ? withPunctuation(text) : text, charset };
}

/** The text of a page without a character that HTML does not allow, as browsers read it. */
export function decodeHtml(body: Uint8Array, contentType: string | null): string {
  const { text } = decodeText(body, contentType);
  // a search of the bytes takes a tenth of the time
  return body.includes(0) ? text.replaceAll('\0', '') : text;
}

/**
 * The characters of windows-1252 at 0x80 to 0x9F; some versions of Node leave control characters
 * there.
 */
const PUNCTUATION = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function withPunctuation(text: string): string {
  return text.replace(
    /[\x80-\x9f]/g,
    (character) => PUNCTUATION[character.charCodeAt(0) - 0x80] ?? '',
  );
}

function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return undefined;
}

function chosenCharset(body: Uint8Array, contentType: string | null): string {
  const header = decoderName(
    /charset\s{0,9}=\s{0,9}["']?([^\s"';,]{1,60})/i.exec(contentType ?? '')?.[1],
  );
  const inside = declaredInside(body);
  const utf8 = readAsUtf8(body);
  // apart from a few short words, non-ASCII text is practically never valid UTF-8 by chance
  if (
    utf8 === 'valid' &&
    (header === undefined || header === 'utf-8' || inside === 'utf-8' || LATIN.has(header))
  )
    return 'utf-8';
  const declared = [header, inside].filter((name) => name !== undefined);
  const possible = declared.filter((name) =>
    name === 'utf-8' ? utf8 !== 'invalid' : !name.startsWith('utf-16'),
  );
  const [first, second] = possible;
  if (first && second && first !== second && LATIN.has(first))
    return guessCharset(body) === second ? second : first;
  if (first) return first;
  return utf8 === 'invalid' ? guessCharset(body) : 'utf-8';
}

/** The decoder's name for this label; undefined when it does not know it. */
function decoderName(label: string | undefined): string | undefined {
  if (!label) return undefined;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

function declaredInside(body: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(body.subarray(0, DECLARED_WITHIN));
  const label =
    /^\s*<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"']{1,40})["']/i.exec(start)?.[1] ??
    /<meta\s[^>]{0,300}?charset\s{0,9}=\s{0,9}(?:["']\s{0,9})?([\w.:-]{1,40})/i.exec(start)?.[1];
  const name = decoderName(label);
  // a document whose declaration can be read byte by byte is not in UTF-16
  return name?.startsWith('utf-16') ? 'utf-8' : name;
}

/** A stray byte in a long text does not rule out UTF-8. */
const STRAY_SHARE = 0.005;

function readAsUtf8(body: Uint8Array): 'ascii' | 'valid' | 'nearly' | 'invalid' {
  if (isUtf8(body)) return isAscii(body) ? 'ascii' : 'valid';
  let wide = 0;
  let wrong = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte < 0x80) continue;
    const more =
      byte >= 0xc2 && byte <= 0xdf
        ? 1
        : byte >= 0xe0 && byte <= 0xef
          ? 2
          : byte >= 0xf0 && byte <= 0xf4
            ? 3
            : 0;
    let isWhole = more > 0;
    for (let next = 1; isWhole && next <= more; next += 1)
      isWhole = ((body[at + next] ?? 0) & 0xc0) === 0x80;
    if (isWhole) {
      wide += 1;
      at += more;
    } else wrong += 1;
  }
  if (wrong === 0) return wide === 0 ? 'ascii' : 'valid';
  return wide >= 100 && wrong <= wide * STRAY_SHARE ? 'nearly' : 'invalid';
}

/** Undeclared UTF-16 is recognized by the zero bytes of its markup. */
function utf16Without(body: Uint8Array): string | undefined {
  if (body[0] === 0x3c && body[1] === 0 && body[3] === 0) return 'utf-16le';
  if (body[0] === 0 && body[1] === 0x3c && body[2] === 0) return 'utf-16be';
  return undefined;
}
