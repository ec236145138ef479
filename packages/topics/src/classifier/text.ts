/** What the classifier reads of a query; the training reads the very same. */
export interface QueryText {
  /** As written, cut to a bounded length: letters' case tells names and tickers from words. */
  readonly original: string;
  /** Lower case, without accents. */
  readonly lower: string;
  /** Lower-case words, numbers and the few signs that mean something; accents stay. */
  readonly tokens: readonly string[];
}

/** What stands behind these limits decides no topic, and the time of one classification stays bounded. */
const MAX_CHARACTERS = 600;
const MAX_TOKENS = 64;
const MAX_TOKEN_LENGTH = 32;

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’&.-][\p{L}\p{M}\p{N}]+)*|[$€£¥%?"#@]/gu;
/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]+/g;

export function readQuery(query: string): QueryText {
  const original = query
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKC')
    .slice(0, MAX_CHARACTERS)
    .replace(CONTROLS, ' ')
    .trim();
  const lower = original.toLowerCase();
  return { original, lower: withoutAccents(lower), tokens: tokenize(lower) };
}

function tokenize(lower: string): string[] {
  const tokens: string[] = [];
  for (const [found] of lower.matchAll(TOKEN)) {
    if (tokens.length >= MAX_TOKENS) break;
    const token = found.replaceAll('’', "'");
    if (UNSPACED.test(token)) tokens.push(...pairsOf(token));
    else tokens.push(...splitClitic(token.slice(0, MAX_TOKEN_LENGTH)));
  }
  return tokens.slice(0, MAX_TOKENS);
}

/** Pairs of neighbouring characters stand in for the words of a script without spaces. */
function pairsOf(token: string): string[] {
  const characters = [...token].slice(0, MAX_TOKENS);
  if (characters.length < 3) return [characters.join('')];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** `nvidia's` and `l'entreprise` hold a word that is known; `don't` stays. */
function splitClitic(token: string): string[] {
  const at = token.indexOf("'");
  if (at < 0) return [token];
  if (token.endsWith("'s")) return [token.slice(0, -2)];
  return at <= 2 ? [token.slice(at + 1)] : [token];
}

const ASCII = /^[ -~]*$/;

/** Without accents: `société` and `societe` are written by the same people. */
export function withoutAccents(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss');
}

/** One spelling per token: no accents, and numbers by their shape (`#year`, `#3` for three digits). */
export function plainToken(token: string): string {
  const plain = withoutAccents(token);
  if (!/\d/.test(plain)) return plain;
  if (/^(?:19|20)\d\d$/.test(plain)) return '#year';
  if (/^\d+$/.test(plain)) return `#${Math.min(plain.length, 7)}`;
  return /^[\d.,:-]+$/.test(plain) ? '#number' : plain.replace(/\d/g, '0');
}
