/**
 * Why a text is not JSON: the words of Python's decoder, as in FastAPI, and the place in
 * characters.
 */
export interface JsonFault {
  readonly error: string;
  readonly offset: number;
}

/** Ends the scan. `position` is in UTF-16 units. */
class FirstFault extends Error {
  readonly position: number;

  constructor(error: string, position: number) {
    super(error);
    this.position = position;
  }
}

/**
 * The first fault of a text that JSON.parse refused: a scan in the steps of Python's decoder,
 * because the offset and the words are its own. Recurses as deep as the text is nested up to its
 * first fault, which the caller has bounded.
 */
export function jsonFault(text: string): JsonFault {
  try {
    const end = blanksEnd(text, valueEnd(text, blanksEnd(text, 0)));
    return faultAt(text, 'Extra data', end);
  } catch (fault) {
    if (!(fault instanceof FirstFault)) throw fault;
    return faultAt(text, fault.message, fault.position);
  }
}

function faultAt(text: string, error: string, position: number): JsonFault {
  const pairs = text.slice(0, position).match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g);
  return { error, offset: position - (pairs?.length ?? 0) };
}

const BLANKS = /[ \t\n\r]*/y;
const SCALAR = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids in a string
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const UNICODE_ESCAPE = /[0-9a-fA-F]{4}/y;

/** Where a match that begins at `start` ends; `start` itself without one. */
function endOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

const blanksEnd = (text: string, start: number): number => endOfMatch(BLANKS, text, start);

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === '{') return objectEnd(text, start);
  if (first === '[') return listEnd(text, start);
  const end = endOfMatch(SCALAR, text, start);
  if (end === start) throw new FirstFault('Expecting value', start);
  return end;
}

function listEnd(text: string, start: number): number {
  let index = blanksEnd(text, start + 1);
  if (text[index] === ']') return index + 1;
  while (true) {
    index = blanksEnd(text, valueEnd(text, index));
    if (text[index] === ']') return index + 1;
    index = afterComma(text, index);
  }
}

function objectEnd(text: string, start: number): number {
  let index = blanksEnd(text, start + 1);
  if (text[index] === '}') return index + 1;
  while (true) {
    if (text[index] !== '"') {
      throw new FirstFault('Expecting property name enclosed in double quotes', index);
    }
    index = blanksEnd(text, stringEnd(text, index));
    if (text[index] !== ':') throw new FirstFault("Expecting ':' delimiter", index);
    index = blanksEnd(text, valueEnd(text, blanksEnd(text, index + 1)));
    if (text[index] === '}') return index + 1;
    index = afterComma(text, index);
  }
}

function afterComma(text: string, index: number): number {
  if (text[index] !== ',') throw new FirstFault("Expecting ',' delimiter", index);
  return blanksEnd(text, index + 1);
}

function stringEnd(text: string, start: number): number {
  let index = start + 1;
  while (true) {
    index = endOfMatch(PLAIN_CHARACTERS, text, index);
    const stop = text[index];
    if (stop === '"') return index + 1;
    if (stop === undefined || (stop === '\\' && index + 1 === text.length)) {
      throw new FirstFault('Unterminated string starting at', start);
    }
    if (stop !== '\\') throw new FirstFault('Invalid control character at', index);
    index = escapeEnd(text, index);
  }
}

function escapeEnd(text: string, start: number): number {
  const letter = text[start + 1] ?? '';
  if (letter !== 'u') {
    if ('"\\/bfnrt'.includes(letter)) return start + 2;
    throw new FirstFault('Invalid \\escape', start);
  }
  const end = endOfMatch(UNICODE_ESCAPE, text, start + 2);
  // Python wants a character after the digits, too
  if (end === start + 2 || end === text.length) {
    throw new FirstFault('Invalid \\uXXXX escape', start + 1);
  }
  return end;
}
