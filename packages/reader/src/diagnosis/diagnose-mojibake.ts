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
export function isMojibake(head: string): boolean {
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
