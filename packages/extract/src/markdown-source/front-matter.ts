/** A value of front matter; numbers, dates and other words are texts, as they are written. */
export type FrontValue = string | readonly FrontValue[] | { readonly [key: string]: FrontValue };

export interface FrontMatter {
  readonly values: { readonly [key: string]: FrontValue };
  /** The document below it; the whole document where it has a line that was not understood. */
  readonly body: string;
}

interface Reading {
  readonly lines: string[];
  at: number;
  isWhole: boolean;
}

/** Front matter that is longer, in characters, is text of the document. */
const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 10;
const KEY_MAX = 200;

/**
 * Reads the front matter of a markdown document in the plain forms of YAML: keys with texts, lists
 * and objects, quoted or not, and texts of several lines. A line in another form is skipped.
 * @param source with line feeds only
 */
export function readFrontMatter(source: string): FrontMatter {
  const none = { values: {}, body: source };
  if (!/^---[ \t]*\n/.test(source)) return none;
  const lines = source.slice(0, MAX_CHARACTERS).split('\n');
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (end < 0) return none;
  const reading: Reading = { lines: lines.slice(1, end), at: 0, isWhole: true };
  const values = readObject(reading, 0, 0);
  if (!reading.isWhole) return { values, body: source };
  const length = lines.slice(0, end + 1).reduce((sum, line) => sum + line.length + 1, 0);
  return { values, body: source.slice(length) };
}

const isBlank = (line: string): boolean => /^[ \t]*(?:#.*)?$/.test(line);

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The next line that says something, and its indent; undefined after the last one. */
function nextLine(
  reading: Reading,
): { readonly text: string; readonly indent: number } | undefined {
  while (reading.at < reading.lines.length && isBlank(reading.lines[reading.at] ?? '')) {
    reading.at += 1;
  }
  const line = reading.lines[reading.at];
  return line === undefined ? undefined : { text: line.trim(), indent: indentOf(line) };
}

function skipLine(reading: Reading): void {
  reading.at += 1;
  reading.isWhole = false;
}

function readObject(reading: Reading, indent: number, depth: number): FrontMatter['values'] {
  const entries: [string, FrontValue][] = [];
  for (let line = nextLine(reading); line && line.indent >= indent; line = nextLine(reading)) {
    const entry = entryOf(line.text);
    if (entry === undefined || line.indent > indent) skipLine(reading);
    else {
      reading.at += 1;
      entries.push([entry.key, readValue(reading, entry.rest, indent, depth)]);
    }
  }
  return Object.fromEntries(entries);
}

function entryOf(text: string): { readonly key: string; readonly rest: string } | undefined {
  const colon = text.search(/:(?:\s|$)/);
  const key = text.slice(0, Math.max(0, colon)).trim();
  if (key === '' || key.length > KEY_MAX || /^[-?&*!|>%@`{[]/.test(key)) return undefined;
  return { key: quoted(key) ?? key, rest: text.slice(colon + 1).trim() };
}

function readValue(reading: Reading, rest: string, indent: number, depth: number): FrontValue {
  if (rest === '' || rest.startsWith('#')) return readNested(reading, indent, depth);
  if (/^[|>][-+\d]{0,2}$/.test(rest)) return readLines(reading, indent, rest.startsWith('>'));
  if (rest.startsWith('[')) {
    const list = flatList(rest);
    if (list) return list;
  } else if (/^["']/.test(rest)) {
    const text = quoted(withoutComment(rest));
    if (text !== undefined) return text;
  } else if (!/^[&*!|>%@`{]/.test(rest)) {
    return [withoutComment(rest), ...moreLines(reading, indent)].join(' ');
  }
  reading.isWhole = false;
  return rest;
}

/** What is below a key without a value on its own line: a list, an object, or nothing. */
function readNested(reading: Reading, indent: number, depth: number): FrontValue {
  const next = nextLine(reading);
  if (!next || depth >= MAX_DEPTH) return '';
  if (isItem(next.text) && next.indent >= indent) return readList(reading, next.indent, depth + 1);
  return next.indent > indent ? readObject(reading, next.indent, depth + 1) : '';
}

const isItem = (text: string): boolean => /^-(?:\s|$)/.test(text);

function readList(reading: Reading, indent: number, depth: number): readonly FrontValue[] {
  const items: FrontValue[] = [];
  for (let line = nextLine(reading); line && line.indent === indent; line = nextLine(reading)) {
    if (!isItem(line.text)) break;
    const rest = line.text.slice(1).trim();
    const isObject = !/^["']/.test(rest) && entryOf(rest) !== undefined;
    if (isObject && depth < MAX_DEPTH) {
      // the item is an object, whose first key is next to the mark
      const inner = indent + line.text.length - rest.length;
      reading.lines[reading.at] = ' '.repeat(inner) + rest;
      items.push(readObject(reading, inner, depth + 1));
    } else {
      reading.at += 1;
      items.push(readValue(reading, rest, indent, depth));
    }
  }
  return items;
}

/** The text of several lines behind `|` or `>`. */
function readLines(reading: Reading, indent: number, isFolded: boolean): string {
  const lines: string[] = [];
  for (; reading.at < reading.lines.length; reading.at += 1) {
    const line = reading.lines[reading.at] ?? '';
    if (line.trim() !== '' && indentOf(line) <= indent) break;
    lines.push(line.trim());
  }
  return lines.join(isFolded ? ' ' : '\n').trim();
}

/** The lines on which a text without quotes goes on. */
function moreLines(reading: Reading, indent: number): readonly string[] {
  const lines: string[] = [];
  for (let line = nextLine(reading); line && line.indent > indent; line = nextLine(reading)) {
    lines.push(withoutComment(line.text));
    reading.at += 1;
  }
  return lines;
}

function withoutComment(text: string): string {
  if (!/^["']/.test(text)) {
    const comment = text.search(/\s#/);
    return (comment < 0 ? text : text.slice(0, comment)).trimEnd();
  }
  const end = text.lastIndexOf(text.charAt(0));
  return /^\s*(?:#.*)?$/.test(text.slice(end + 1)) ? text.slice(0, end + 1) : text;
}

/** The text in quotes; undefined when it is not one quoted text. */
function quoted(text: string): string | undefined {
  if (/^'(?:[^']|'')*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A list on one line, without lists or objects inside; undefined for anything else. */
function flatList(text: string): readonly string[] | undefined {
  const inner = /^\[(.*)\]\s*(?:#[^\]]*)?$/.exec(text)?.[1];
  if (inner === undefined || /[[\]{}]/.test(inner)) return undefined;
  const items: string[] = [];
  let item = '';
  let quote = '';
  for (const character of `${inner},`) {
    if (quote === '' && character === ',') {
      const text = item.trim();
      if (text !== '') items.push(quoted(text) ?? text);
      item = '';
      continue;
    }
    if (quote === '' && item.trim() === '' && /["']/.test(character)) quote = character;
    else if (character === quote) quote = '';
    item += character;
  }
  return quote === '' ? items : undefined;
}
