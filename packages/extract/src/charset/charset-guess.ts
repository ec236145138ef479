/** How much of the bytes is examined. Bodies may be long, and the start is mostly markup. */
const SAMPLE = 200_000;
/** A score below this is not better than chance. */
const CONVINCING = 0.55;

interface Candidate {
  readonly charset: string;
  /**
   * How much the text looks like language, 0 to 1. `text` is what is not ASCII, `whole` is
   * everything.
   */
  readonly score: (text: string, whole: string) => number;
}

/** The most common characters of running text. */
const CHINESE = new Set(
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向头文体政美相见被利什二等产或新己制身果加西斯月話國時個們來為這說會對發經過後學裡開現實點業關長問'.split(
    '',
  ),
);
const KOREAN = new Set(
  '이다는에의을가를고하한은로지어사기서자도인대리나시해그수있아것일과정보들라부만전스제주적었으게였장원여상관국구경면조성동'.split(
    '',
  ),
);

const CANDIDATES: readonly Candidate[] = [
  {
    charset: 'shift_jis',
    score: (text) =>
      share(text, /[\u3040-\u30ff]/g) > 0.25
        ? inRange(text, /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g)
        : 0,
  },
  {
    charset: 'euc-jp',
    score: (text) =>
      share(text, /[\u3040-\u30ff]/g) > 0.25
        ? inRange(text, /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g)
        : 0,
  },
  { charset: 'gb18030', score: (text) => common(text, CHINESE) },
  { charset: 'big5', score: (text) => common(text, CHINESE) },
  { charset: 'euc-kr', score: (text) => common(text, KOREAN) },
  { charset: 'windows-1251', score: cyrillic },
  { charset: 'koi8-r', score: cyrillic },
];

/** The character set that the bytes suggest; Western European when no other is convincing. */
export function guessCharset(body: Uint8Array): string {
  const sample = body.subarray(0, SAMPLE);
  let best = { charset: 'windows-1252', score: CONVINCING };
  for (const { charset, score } of CANDIDATES) {
    const text = decodeStrictly(charset, sample);
    if (text === undefined) continue;
    const reached = score(beyondAscii(text), text);
    if (reached > best.score) best = { charset, score: reached };
  }
  return best.charset;
}

function decodeStrictly(charset: string, sample: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}

const beyondAscii = (text: string): string => text.replace(/\p{ASCII}+/gu, '');

function share(text: string, kind: RegExp): number {
  return text.length === 0 ? 0 : (text.match(kind)?.length ?? 0) / text.length;
}

const inRange = (text: string, kind: RegExp): number => share(text, kind);

/**
 * In running text the hundred most common characters make up about a third; in a wrong decoding
 * almost none occur.
 */
function common(text: string, characters: ReadonlySet<string>): number {
  const letters = [...text].filter((character) => character >= '\u3400' && character <= '\ud7a3');
  if (letters.length < text.length * 0.6) return 0;
  const found = letters.filter((character) => characters.has(character)).length;
  return Math.min(1, (found / letters.length) * 2.5);
}

/**
 * With the wrong one of the two, small letters become capitals. Western words have single non-ASCII
 * letters.
 */
function cyrillic(text: string, whole: string): number {
  if (text.length < 6 || share(text, /[а-яёА-ЯЁ]/g) < 0.8) return 0;
  const inWords = (whole.match(/[а-яё]{3,}/gi) ?? []).join('').length;
  return inWords < text.length * 0.5 ? 0 : share(text, /[а-яё]/g);
}
