/** The parts of a query that the classifier reads; the training reads the same. */
export interface QueryText {
  /** As written, cut to a maximum length. Case distinguishes names and tickers from words. */
  readonly original: string;
  /** Lower case, without accents. */
  readonly lower: string;
  /** Lower-case words, numbers and a few meaningful signs; accents stay. */
  readonly tokens: readonly string[];
}

/** Text after these limits does not affect the topic. They limit the time of one classification. */
const MAX_CHARACTERS = 600;
const MAX_TOKENS = 64;
const MAX_TOKEN_LENGTH = 32;

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’&.-][\p{L}\p{M}\p{N}]+)*|[$€£¥%?"#@]/gu;
/** Scripts without spaces between words. */
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

/** Pairs of neighbouring characters replace words in a script without spaces. */
function pairsOf(token: string): string[] {
  const characters = [...token].slice(0, MAX_TOKENS);
  if (characters.length < 3) return [characters.join('')];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** `nvidia's` and `l'entreprise` contain a known word; `don't` stays. */
function splitClitic(token: string): string[] {
  const at = token.indexOf("'");
  if (at < 0) return [token];
  if (token.endsWith("'s")) return [token.slice(0, -2)];
  return at <= 2 ? [token.slice(at + 1)] : [token];
}

const ASCII = /^[ -~]*$/;

/** Without accents: people write both `société` and `societe`. */
export function withoutAccents(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss');
}

/** Normalizes a token: no accents, and numbers by their shape (`#year`, `#3` for three digits). */
export function plainToken(token: string): string {
  const plain = withoutAccents(token);
  if (!/\d/.test(plain)) return plain;
  if (/^(?:19|20)\d\d$/.test(plain)) return '#year';
  if (/^\d+$/.test(plain)) return `#${Math.min(plain.length, 7)}`;
  return /^[\d.,:-]+$/.test(plain) ? '#number' : plain.replace(/\d/g, '0');
}
