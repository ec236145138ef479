import type { RowErrorCode } from '@trawl/contract';
import { countWords } from '@trawl/extract/words';
import { HEAD_LENGTH } from './diagnose-text.ts';

export interface Damage {
  readonly code: RowErrorCode;
  readonly reason: string;
}

/** First bytes of binary files, as they look after being decoded as text. */
const MAGIC = [
  'PK\u0003\u0004',
  'PNG\r\n\u001a',
  'PNG\n\u001a',
  '\u007fELF',
  'ÿØÿ',
  '\u001f\u008b',
];
const MAGIC_WITHIN = 2;
/** The source of a PDF. Its first line alone could also appear in a text about the format. */
const PDF = /^%PDF-\d\.\d\s[\s\S]{0,4000}\d \d obj\b/;

/** From this share of characters that text never contains, it is binary. */
const BINARY_SHARE = 0.1;
const BINARY_MIN_CHARACTERS = 8;
/** Longer than any word, digest or token on a page. */
const BASE64_RUN = 200;
/** Lines of 60 to 76 characters, as mail and armour wrap them. */
const BASE64_LINE = /^[A-Za-z0-9+/]{60,76}\r?$/;
const BASE64_LAST_LINE = /^[A-Za-z0-9+/]{0,76}={0,2}\r?$/;
const BASE64_CHARACTER = /[A-Za-z0-9+/_=-]/;
const HAS_BASE64_LINE = /^[A-Za-z0-9+/]{60,76}\r?$/m;
const BASE64_LINES_MIN = 3;
const BASE64_SHARE = 0.7;
/** A text with more words than this around an encoded block explains it. */
const BASE64_MAX_WORDS = 40;
/** Blocks that are legitimate content: certificates, keys. */
const ARMOUR = /-----BEGIN |^ssh-(?:rsa|ed25519|dss) |^ecdsa-sha2-/m;

/**
 * Finds what shows that a content is not readable text: a binary file, an encoded file, or a wrong
 * character set.
 */
export function findDamage(content: string): Damage | undefined {
  const head = content.slice(0, HEAD_LENGTH);
  if (isBinary(head)) return { code: 'unsupported_type', reason: 'binary_as_text' };
  if (isBase64(head)) return { code: 'unsupported_type', reason: 'base64_as_text' };
  if (isMojibake(head)) return { code: 'bad_response', reason: 'mojibake' };
  return undefined;
}

function isBinary(head: string): boolean {
  const start = head.trimStart();
  const bytes = start.slice(0, 16);
  if (MAGIC.some((magic) => bytes.slice(0, MAGIC_WITHIN + magic.length).includes(magic)))
    return true;
  if (PDF.test(start)) return true;
  let controls = 0;
  let replaced = 0;
  for (let index = 0; index < head.length; index += 1) {
    const code = head.charCodeAt(index);
    if (code === 0xfffd) replaced += 1;
    else if (code < 9 || (code > 13 && code < 32 && code !== 27) || code === 127) controls += 1;
  }
  if (controls < BINARY_MIN_CHARACTERS) return false;
  return controls + replaced > head.length * BINARY_SHARE;
}

function isBase64(head: string): boolean {
  const inMarkup = head.replace(/\]\(data:[^)\s]*\)?/g, ']');
  const isImage = inMarkup !== head && !/[\p{L}\p{N}]/u.test(inMarkup);
  const mayBe = isImage || hasLongRun(inMarkup) || HAS_BASE64_LINE.test(inMarkup);
  if (!mayBe || ARMOUR.test(head)) return false;
  if (isImage) return true;
  let encoded = 0;
  const withoutRuns = inMarkup.replace(/[A-Za-z0-9+/_=-]+/g, (run) => {
    if (run.length < BASE64_RUN || !isEncoded(run)) return run;
    encoded += run.length;
    return ' ';
  });
  const others = groupLines(withoutRuns.split('\n')).map((lines) => {
    if (lines.length < BASE64_LINES_MIN || !isEncoded(lines.join('\n'))) return lines.join('\n');
    encoded += lines.join('\n').length;
    return ' ';
  });
  const rest = others.join('\n');
  if (encoded < BASE64_RUN || encoded < inMarkup.length * BASE64_SHARE) return false;
  return countWords(rest) <= BASE64_MAX_WORDS;
}

/**
 * Whether `BASE64_RUN` such characters follow each other. Looks back from where they would end,
 * which is rarely far.
 */
function hasLongRun(text: string): boolean {
  let end = BASE64_RUN;
  while (end <= text.length) {
    let from = end;
    while (from > end - BASE64_RUN && BASE64_CHARACTER.test(text.charAt(from - 1))) from -= 1;
    if (from === end - BASE64_RUN) return true;
    end = from + BASE64_RUN;
  }
  return false;
}

/**
 * Groups the lines of an encoded block with its shorter last line; every other line is a group of
 * its own.
 */
function groupLines(lines: readonly string[]): string[][] {
  const groups: string[][] = [];
  let block: string[] = [];
  for (const line of lines) {
    const isFull = BASE64_LINE.test(line);
    if (isFull || (block.length > 0 && BASE64_LAST_LINE.test(line))) {
      if (block.length === 0) groups.push(block);
      block.push(line);
    } else groups.push([line]);
    if (!isFull) block = [];
  }
  return groups;
}

/**
 * Small letters, capitals and digits in one run: not a number, a hexadecimal digest or a DNA
 * sequence.
 */
function isEncoded(run: string): boolean {
  const kinds = [/[g-z]/, /[G-Z]/, /[0-9]/];
  return kinds.every((kind) => kind.test(run)) && !/(.)\1{40}/.test(run);
}

/**
 * Bytes 0x80 to 0xBF decoded as Windows-1252: they follow the first byte of a letter in UTF-8.
 * Listed one by one, because these characters are scattered over Unicode.
 */
const FOLLOWING = '\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
/** The same bytes decoded as Windows-1251. */
const FOLLOWING_CYRILLIC = 'ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—™љ›њќћџЎўЈ¤Ґ¦§Ё©Є«¬®Ї°±Ііґµ¶·ё№є»јЅѕї';

/** Patterns of text that was decoded with a wrong character set. */
const SIGNS: readonly RegExp[] = [
  new RegExp(`[ÂÃÄÅÆÐÑÎÏØÙ][${FOLLOWING}]`, 'g'),
  new RegExp(`[âãåæäçèé][${FOLLOWING}]{2}`, 'g'),
  new RegExp(`(?:[РС][${FOLLOWING_CYRILLIC}]){2,}`, 'g'),
  // Shift_JIS: the kana.
  /(?:[‚ƒ][!-~\u0080-ÿŠŽœž€„…†‡ˆ‰‹Œ‘’“”•–—˜™š›]){3,}/g,
  // GBK, EUC and others of two high bytes: such runs of letters do not occur in Western languages.
  /[¡-ÿ]{0,40}[À-ÖØ-öø-ÿ]{2}[¡-ÿ]{2,40}/g,
  /\ufffd/g,
];

/** One of these is in each sign. */
const ANY_SIGN = /[¡-ÿРС‚ƒ\ufffd]/;

/** Fewer signs than this may be a single error in a good page. */
const MIN_SIGNS = 6;
const SHARE = 0.03;
/** Texts about encodings quote broken text, so they need a higher share. */
const SHARE_IF_DISCUSSED = 0.4;
const DISCUSSED =
  /mojibake|krakozyabr|кракозябр|文字化け|乱码|亂碼|utf-?8|latin-?1|iso-?8859|windows-125\d|cp-?125\d|encoding|charset|unicode|kodierung|zeichensatz|encodage|codificaci|кодировк/i;

/** Whether a substantial share of a text was decoded with a wrong character set. */
function isMojibake(head: string): boolean {
  if (!ANY_SIGN.test(head)) return false;
  let signs = 0;
  let broken = 0;
  const rest = SIGNS.reduce(
    (text, sign) =>
      text.replace(sign, (match) => {
        signs += 1;
        broken += match.length;
        return ' ';
      }),
    head,
  );
  if (signs < MIN_SIGNS) return false;
  // Correct non-ASCII letters prove that the page as a whole was decoded correctly.
  const well = rest.match(/[À-\u200f\u2027-\ufffc]/g)?.length ?? 0;
  if (well > broken) return false;
  const letters = head.match(/\S/g)?.length ?? 0;
  return broken >= letters * (DISCUSSED.test(head) ? SHARE_IF_DISCUSSED : SHARE);
}
