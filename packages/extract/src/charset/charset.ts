import { isAscii, isUtf8 } from 'node:buffer';
import { getBOMEncoding, TextDecoder as StandardDecoder } from '@exodus/bytes/encoding.js';
import { guessCharset } from './charset-guess.ts';
import { charsetNamed, declaredCharset } from './prescan.ts';

/** The text of a page, and its character set. */
export interface Decoded {
  readonly text: string;
  readonly charset: string;
}

/** Names that servers add to every header, whatever the content. */
const LATIN = new Set(['windows-1252', 'iso-8859-15']);

/**
 * Decodes a page as the Encoding standard says. A byte order mark wins, then the header, then what
 * the document declares, as long as the bytes don't prove it wrong. Without any of them it is
 * guessed from the bytes.
 */
export function decodeText(body: Uint8Array, contentType: string | null): Decoded {
  const charset = getBOMEncoding(body) ?? utf16Without(body) ?? chosenCharset(body, contentType);
  return { text: decodeAs(charset, body), charset };
}

/** The text of a page without a character that HTML does not allow, as browsers read it. */
export function decodeHtml(body: Uint8Array, contentType: string | null): string {
  const { text } = decodeText(body, contentType);
  // a search of the bytes takes a tenth of the time
  return body.includes(0) ? text.replaceAll('\0', '') : text;
}

/** Node's own decoders differ from the standard for most other character sets. */
function decodeAs(charset: string, body: Uint8Array): string {
  const Decoder = charset === 'utf-8' ? TextDecoder : StandardDecoder;
  return new Decoder(charset).decode(body);
}

function chosenCharset(body: Uint8Array, contentType: string | null): string {
  const inHeader = /charset\s{0,9}=\s{0,9}["']?([^\s"';,]{1,60})/i.exec(contentType ?? '')?.[1];
  const header = possible(charsetNamed(inHeader), body);
  const inside = declaredCharset(body);
  // apart from a few short words, non-ASCII text is practically never valid UTF-8 by chance
  if (isUtf8(body) && !isAscii(body)) {
    const isOther = header !== undefined && header !== 'utf-8' && !LATIN.has(header);
    return isOther && inside !== 'utf-8' ? header : 'utf-8';
  }
  const [first, second] = [header, inside].filter((name) => name !== undefined && name !== 'utf-8');
  const isDeclared = header === 'utf-8' || inside === 'utf-8';
  const mayBeUtf8 = isDeclared || first === undefined || LATIN.has(first);
  if (mayBeUtf8 && isMostlyUtf8(body, isDeclared)) return 'utf-8';
  if (first && second && first !== second && LATIN.has(first))
    return guessCharset(body) === second ? second : first;
  return first ?? guessCharset(body);
}

/**
 * UTF-16 has a zero byte in each sign of its markup; without one, the name in the header is wrong.
 */
function possible(charset: string | undefined, body: Uint8Array): string | undefined {
  return charset?.startsWith('utf-16') && !body.subarray(0, 1024).includes(0) ? undefined : charset;
}

/**
 * Whether most of what is not ASCII is valid UTF-8, so that the other bytes are strays. A single
 * one never makes a declaration wrong.
 */
function isMostlyUtf8(body: Uint8Array, isDeclared: boolean): boolean {
  if (isAscii(body)) return isDeclared || !body.includes(ESCAPE);
  const text = decodeAs('utf-8', body);
  let wide = 0;
  let wrong = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === REPLACEMENT) wrong += 1;
    else if (code > 0x7f) wide += 1;
  }
  return isDeclared ? wrong === 1 || wide >= wrong : wide >= wrong * 2;
}

const REPLACEMENT = 0xfffd;

/** Shifts the character set in ISO-2022-JP, which has only ASCII bytes. */
const ESCAPE = 0x1b;

/** Undeclared UTF-16 is recognized by the zero bytes of its markup. */
function utf16Without(body: Uint8Array): string | undefined {
  if (body[0] === 0x3c && body[1] === 0 && body[3] === 0) return 'utf-16le';
  if (body[0] === 0 && body[1] === 0x3c && body[2] === 0) return 'utf-16be';
  return undefined;
}
