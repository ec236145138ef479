import { gunzipSync } from 'node:zlib';

/** Markup, addresses and entities that no person types into a search box. */
const MARKUP = /<[^>]{0,300}>|https?:\/\/\S{1,300}|\{[^}]{0,300}\}|@\w{1,60}/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&#039;': "'",
  '&lt;': '<',
  '&gt;': '>',
};
const LENGTH_MIN = 2;
const LENGTH_MAX = 300;

/**
 * The texts of a file.
 * @param read how: `lines`, `csv COLUMN`, `tsv COLUMN`, `json FIELD`, or `match EXPRESSION`, whose
 * groups are joined. With `lower` before it, texts in capitals become lower case.
 */
export function readTexts(bytes: Buffer, read: string): string[] {
  const isLower = read.startsWith('lower ');
  const texts = rawTexts(decode(bytes), read.replace(/^lower /, ''));
  return texts.map((text) => plain(isLower ? text.toLowerCase() : text)).filter(isQuery);
}

function rawTexts(text: string, read: string): string[] {
  const [kind = '', argument = ''] = split(read);
  switch (kind) {
    case 'lines':
      return text.split('\n');
    case 'csv':
      return columnOf(csvRows(text, ','), argument);
    case 'tsv':
      return columnOf(csvRows(text, '\t'), argument);
    case 'json':
      return matches(text, `"${argument}":\\s*"((?:[^"\\\\]|\\\\.)*)"`);
    case 'match':
      return matches(text, argument);
    default:
      throw new Error(`no way to read "${kind}"`);
  }
}

function decode(bytes: Buffer): string {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isZipped ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\ufeff/, '');
}

function split(read: string): [string, string] {
  const at = read.indexOf(' ');
  return at < 0 ? [read, ''] : [read.slice(0, at), read.slice(at + 1)];
}

const isQuery = (text: string): boolean => text.length >= LENGTH_MIN && text.length <= LENGTH_MAX;

function plain(text: string): string {
  return text
    .replace(/&(?:\w+|#\d+);/g, (entity) => ENTITIES[entity] ?? ' ')
    .replace(MARKUP, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function matches(text: string, expression: string): string[] {
  return [...text.matchAll(new RegExp(expression, 'gmu'))].map(([, ...groups]) =>
    groups.map((group) => unescaped(group ?? '')).join(' '),
  );
}

/** Texts from JSON and YAML have escapes. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text.replaceAll('\\', ' ');
  }
}

/** @param column a name from the first row, or `#2` for the second cell of a file without names */
function columnOf(rows: readonly (readonly string[])[], column: string): string[] {
  const [names = [], ...others] = rows;
  if (column.startsWith('#')) return rows.map((row) => row[Number(column.slice(1)) - 1] ?? '');
  const places = column.split('+').map((name) => names.indexOf(name));
  if (places.includes(-1)) throw new Error(`no column ${column} among ${names.join(', ')}`);
  return others.map((row) => places.map((place) => row[place] ?? '').join(' '));
}

function csvRows(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else if (character !== '\r') cell += character;
  }
  return cell === '' && row.length === 0 ? rows : [...rows, [...row, cell]];
}
