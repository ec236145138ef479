import { TextDecoder } from '@exodus/bytes/encoding.js';

/**
 * Letters beyond ASCII of a language, the most frequent first, and the character sets of its
 * pages.
 */
interface Alphabet {
  readonly charsets: readonly string[];
  readonly letters: string;
}

const alphabets = (charsets: string, ...languages: readonly string[]): readonly Alphabet[] =>
  languages.map((letters) => ({ charsets: charsets.split(' '), letters }));

const CYRILLIC = 'windows-1251 iso-8859-5 ibm866';

/**
 * Each right letter counts, so two languages with the same letters in another order are
 * distinguished.
 */
const ALPHABETS: readonly Alphabet[] = [
  ...alphabets(
    'windows-1252',
    'éèàêçâîôùûëïœæüÿ',
    'üäößé',
    'óíáéñúü',
    'ãçéáíóêõâúôàü',
    'èàùòìéí',
    'äåöé',
    'äöåšž',
    'åøæéôò',
    'áíðúóéöþýæ',
    'ëéïöóèüêç',
    'àéèíòóçúïü',
    'ëç',
  ),
  ...alphabets(
    'windows-1250 iso-8859-2',
    'łąęóżśćńź',
    'íáéěýčřžšůúťňďó',
    'áíéčýžľšúťňďôóäĺŕ',
    'áéöőóüíúű',
    'ăşâţî',
    'čšžćđ',
  ),
  ...alphabets('windows-1254', 'ışğüçöİâîû'),
  ...alphabets('windows-1257', 'ėšųžįąūčę', 'āīēšūņļžķģč', 'äõüöšž'),
  ...alphabets(
    `${CYRILLIC} koi8-r`,
    'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
    'аеоинтрсвдлкпмзъугбщчжяцйхшюфь',
  ),
  ...alphabets(`${CYRILLIC} koi8-u`, 'оанівиретскдлмупязьбгйчхцжїщюшєфґ'),
  ...alphabets(CYRILLIC, 'аоиенртсвдкјумлпзбгчшцћжхђњљфџ', 'анiіеоярсткдлымўвупзгбьчйюцшжхэёф'),
  ...alphabets('windows-1253 iso-8859-7', 'αοιετνσηρπκμςλυόάίδγέήφχθύώβξζψϊϋΐΰ'),
  ...alphabets('windows-1255', 'יוהלאתרבשמנםדחעקפכטסגצזץןךף'),
  ...alphabets(
    'windows-1256 iso-8859-6',
    'اليمونرتبةعدسفهكقحجشطصخأإىضذزغءئظثآؤ',
    'ايرندمهوتبسكشزفگعخقجآپحصطضچذژغظثئ',
  ),
  ...alphabets('windows-874', 'านรอกเ่ง้ัมยลีวดทิสตะปบค์ืหแุจพำชขใไูึ็โผซถธศญฟณษฉภฐฎฮฆ๊๋ฬฏฑฒฤๆฯ'),
];

/** How much of the bytes is examined, and how much of what is not ASCII there. */
const SAMPLE = 200_000;
const WORDS = 20_000;
/** A share below this is not better than chance. */
const CONVINCING = 0.55;

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

const WIDE: Readonly<Record<string, (text: string) => number>> = {
  shift_jis: japanese,
  'euc-jp': japanese,
  gb18030: (text) => common(text, CHINESE),
  big5: (text) => common(text, CHINESE),
  'euc-kr': (text) => common(text, KOREAN),
};

/** The character set that the bytes suggest; Western European when no other is convincing. */
export function guessCharset(body: Uint8Array): string {
  const start = Buffer.from(body.subarray(0, SAMPLE)).toString('latin1');
  if (start.includes('\x1b$B') || start.includes('\x1b$@')) return 'iso-2022-jp';
  const words = start.split(/[\t\n\f\r <>]+/).filter((word) => /[\x80-\xff]/.test(word));
  const sample = Buffer.from(words.join(' ').slice(0, WORDS), 'latin1');
  return guessWide(sample) ?? guessNarrow(sample);
}

function guessWide(sample: Uint8Array): string | undefined {
  let best = { charset: undefined as string | undefined, score: CONVINCING };
  for (const [charset, scoreOf] of Object.entries(WIDE)) {
    const text = decodeStrictly(charset, sample);
    const score = text === undefined ? 0 : scoreOf(text.replace(/\p{ASCII}+/gu, ''));
    if (score > best.score) best = { charset, score };
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

function share(text: string, kind: RegExp): number {
  return text.length === 0 ? 0 : (text.match(kind)?.length ?? 0) / text.length;
}

function japanese(text: string): number {
  if (share(text, /[\u3040-\u30ff]/g) <= 0.25) return 0;
  return share(text, /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g);
}

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

/** How likely a language has a character that is not one of its letters. */
const FOREIGN = Math.log(1 / 1000);
/** What a capital letter costs: in a wrong decoding many small letters become capitals. */
const CAPITAL = Math.log(0.3);
/** Speaks for the most frequent one, so that a few letters alone do not decide for another. */
const WESTERN = 2;

function guessNarrow(sample: Uint8Array): string {
  const texts = new Map<string, string>();
  let best = { charset: 'windows-1252', score: FOREIGN * 0.6 };
  for (const { charsets, letters } of ALPHABETS) {
    const weights = weightsOf(letters);
    for (const charset of charsets) {
      const text = texts.get(charset) ?? new TextDecoder(charset).decode(sample);
      texts.set(charset, text);
      const score = likelihood(text, weights, charset === 'windows-1252' ? WESTERN : 0);
      if (score > best.score) best = { charset, score };
    }
  }
  return best.charset;
}

/**
 * The logarithms of how often each letter occurs, which falls with its place as in most languages.
 */
function weightsOf(letters: Alphabet['letters']): ReadonlyMap<string, number> {
  const parts = [...letters].map((_, at) => 1 / (at + 2));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  return new Map([...letters].map((letter, at) => [letter, Math.log((parts[at] ?? 0) / whole)]));
}

const LETTER = /[\p{L}\p{M}]/u;
/**
 * Signs that are next to letters in any language, and those that are only in front of a word or
 * behind a number.
 */
const QUOTES = new Set('«»“”„‘’‚‹›–—…·\u00a0\u00ad');
const SIGNS = new Set('¡¿°ºª§€£©®™•№');

/** The mean likelihood of what is not ASCII in a text. */
function likelihood(text: string, weights: ReadonlyMap<string, number>, start: number): number {
  let sum = start;
  let count = 0;
  let before = ' ';
  for (const character of text) {
    if (
      character > '\x7f' &&
      !QUOTES.has(character) &&
      !(SIGNS.has(character) && !LETTER.test(before))
    ) {
      count += 1;
      sum += weights.get(character) ?? capital(character, before, weights);
    }
    before = character;
  }
  return count === 0 ? Number.NEGATIVE_INFINITY : sum / count;
}

function capital(character: string, before: string, weights: ReadonlyMap<string, number>): number {
  const small = character.toLowerCase();
  const weight = weights.get(small);
  const isWithin = before !== before.toUpperCase();
  return weight === undefined || small === character || isWithin ? FOREIGN : weight + CAPITAL;
}
