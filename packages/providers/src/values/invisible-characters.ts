/**
 * A flag of a region that is no state, such as that of Wales: a black flag, the code of the region
 * in tag characters, and the tag that ends it (UTS #51, ED-14a). CLDR has codes of 3 to 6
 * characters.
 */
const FLAG = String.raw`\ud83c\udff4(?:\udb40[\udc30-\udc39\udc61-\udc7a]){3,6}\udb40\udc7f`;
/**
 * What no reader sees and no writer needs: the zero-width space, word joiners and invisible
 * operators, the byte order mark, marks that turn the direction of a text, tag characters, and
 * control characters, which a terminal obeys. Joiners (U+200C, U+200D) stay, because scripts and
 * emoji need them.
 */
const HIDDEN = String.raw`\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u2060-\u2064\ufeff\u202a-\u202e`;
const INVISIBLE = String.raw`[${HIDDEN}]|\udb40[\udc00-\udc7f]`;
/** Ends of lines and pages of old files, without which words would touch, and C1 controls. */
const MEANT_OTHERWISE = /[\v\f\x80-\x9f]|\r(?!\n)/g;
/** What C1 controls nearly always were before a wrong decoding, as for `&#146;` in HTML. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const FIRST_C1 = 0x80;

/** The character that was meant, in the same place. */
const meant = (sign: string): string => WINDOWS_1252.charAt(sign.charCodeAt(0) - FIRST_C1) || '\n';

/** Any of both, or half of a tag character: one look at a text is enough for most. */
const ANY = new RegExp(`[${HIDDEN}\\v\\f\\r\\udb40]`);
/** Flags are matched too, so that they stay whole. */
const RUNS = new RegExp(`${FLAG}|(?:${INVISIBLE})+`, 'g');
const FLAG_START = '\ud83c';

/**
 * A text without the characters that no reader sees, with line feeds at the ends of its lines, and
 * with the signs that C1 controls were meant to be.
 * Most texts have none of these and stay as they are.
 */
export const withoutInvisible = (text: string): string => takeOutInvisible(text).text;

/** A run of characters that no reader sees. */
export interface InvisibleRun {
  readonly run: string;
  /** Where it was, in the text without such characters, in UTF-16 code units. */
  readonly at: number;
}

/** The runs of such characters, in order, and the text without them. */
export function takeOutInvisible(given: string): {
  readonly text: string;
  readonly runs: readonly InvisibleRun[];
} {
  if (!ANY.test(given)) return { text: given, runs: [] };
  const text = given.replace(MEANT_OTHERWISE, meant);
  const runs: InvisibleRun[] = [];
  let removed = 0;
  const visible = text.replace(RUNS, (run, at: number) => {
    if (isFlag(run)) return run;
    runs.push({ run, at: at - removed });
    removed += run.length;
    return '';
  });
  return { text: visible, runs };
}

const isFlag = (run: string): boolean => run.startsWith(FLAG_START);
