/**
 * JSON whose whole numbers beyond 2^53 keep their digits: they are read as `bigint` and written
 * back as they came. Ids of posts, orders and rows are often that long, and `JSON.parse` would
 * change their last digits.
 */

/** Not in any text from outside, since it is made again in each process. */
const MARK = `exact:${globalThis.crypto.randomUUID()}:`;
const MARKED = /"(exact:[0-9a-f-]{36}:)(-?\d+)"/g;

/**
 * Where a whole number may begin that has too many digits for a `number`. Most texts have none,
 * which is quickly found.
 */
const MAY_BE_LONG = /[[:,\s]-?\d{16}/;

/**
 * Like `JSON.parse`, but whole numbers beyond 2^53 are of type `bigint`.
 * @throws SyntaxError as `JSON.parse`
 */
export function parseJson(text: string): unknown {
  if (!MAY_BE_LONG.test(text)) return JSON.parse(text);
  const marked = withMarks(text);
  const value: unknown = JSON.parse(marked);
  return marked === text ? value : exactOf(value);
}

/** Like `JSON.stringify`, with the digits of each `bigint`. */
export function writeJson(value: unknown, replacer?: (key: string, value: unknown) => unknown) {
  try {
    return JSON.stringify(value, replacer);
  } catch (error) {
    // what else `JSON.stringify` refuses is refused again below
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(markedOf(value), replacer).replace(MARKED, (written, mark, digits) =>
    mark === MARK ? digits : written,
  );
}

/**
 * The value with each marked text as the number that it was. Changed in place: a function for each
 * value takes eight times as long.
 */
function exactOf(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const inner = members[key];
    const exact = exactOf(inner);
    // not assigned: a key `__proto__` must stay a key
    if (exact !== inner) Object.defineProperty(members, key, { value: exact });
  }
  return value;
}

/** A copy with each `bigint` as a marked text; the same value where it has none. */
function markedOf(value: unknown): unknown {
  if (typeof value === 'bigint') return `${MARK}${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(markedOf);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, markedOf(inner)]));
}

/** The text with each whole number beyond 2^53 as a marked string. Text in quotes is skipped. */
function withMarks(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = afterString(text, at);
    else if (code === MINUS || isDigit(code)) {
      const end = afterNumber(text, at);
      const written = text.slice(at, end);
      if (WHOLE.test(written) && !Number.isSafeInteger(Number(written))) {
        parts.push(text.slice(kept, at), `"${MARK}${written}"`);
        kept = end;
      }
      at = end;
    } else at += 1;
  }
  return parts.join('') + text.slice(kept);
}

const WHOLE = /^-?[1-9]\d{0,4095}$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function afterString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** Digits, signs, dots and exponents: whether they are a number is for `JSON.parse`. */
function afterNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isPart = isDigit(code) || code === 0x2e || code === 0x2b || code === MINUS;
    if (!isPart && code !== 0x65 && code !== 0x45) break;
  }
  return at;
}
