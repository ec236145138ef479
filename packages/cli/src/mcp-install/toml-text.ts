import { parse, TomlError } from 'smol-toml';
import { EditError } from './edit-error.ts';
import { isSame, isTable, type Table, valueAt } from './table.ts';

/** What a TOML file has. @throws EditError */
export function tomlContent(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // the message goes on with the line, which may have a secret
    const [what = ''] = error.message.replace('Invalid TOML document: ', '').split('\n', 1);
    throw new EditError(`it is not TOML: ${what} in line ${error.line}, column ${error.column}`);
  }
}

/**
 * Texts with these members in the table at the place, best first: each has to be read again, since
 * TOML has more than one way to write a table. Lines of other tables stay as they are, and in its
 * own all comments and the lines that say the same.
 */
export function* tomlTexts(text: string, place: readonly string[], members: Table) {
  const statements = statementsOf(text);
  const isOwn = ({ table }: Statement) => place.every((name, index) => table[index] === name);
  const older = valueAt(tomlContent(text), place);
  if (statements.some(isOwn)) {
    yield withOwnLines({ statements, isOwn, place, older, members, eol: eolOf(text) });
  }
  yield withTable(text, place, members);
  yield* onOneLine(text, place, members);
}

/** One or more lines that belong together: a header, a value, or space and comments. */
interface Statement {
  readonly text: string;
  /** The names of the table that it is in, or begins. */
  readonly table: readonly string[];
  readonly isHeader: boolean;
  /** The names that lead to its value from the table; none for space and comments. */
  readonly names: readonly string[];
}

function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let lines = '';
  for (const line of text.split(/(?<=\n)/)) {
    lines += line;
    const content = contentIfWhole(lines);
    // a text or a list goes on in the next line
    if (!content) continue;
    const isHeader = lines.trimStart().startsWith('[');
    const names = pathOf(content);
    if (isHeader) table = names;
    statements.push({ text: lines, table, isHeader, names: isHeader ? [] : names });
    lines = '';
  }
  return statements;
}

function contentIfWhole(text: string): Table | undefined {
  try {
    return tomlContent(text);
  } catch {
    return undefined;
  }
}

/** The names down to the first table that has not exactly one. */
function pathOf(content: unknown): readonly string[] {
  const [only, more] = isTable(content) ? Object.entries(content) : [];
  return only && !more ? [only[0], ...pathOf(only[1])] : [];
}

function withOwnLines({
  statements,
  isOwn,
  place,
  older,
  members,
  eol,
}: {
  readonly statements: readonly Statement[];
  readonly isOwn: (statement: Statement) => boolean;
  readonly place: readonly string[];
  readonly older: unknown;
  readonly members: Table;
  readonly eol: string;
}): string {
  const seen = new Set<string>();
  const edited = statements.map((statement) => {
    const { text, table, isHeader, names } = statement;
    if (!isOwn(statement)) return text;
    const path = [...table.slice(place.length), ...names];
    const [member] = path;
    if (member === undefined || (!isHeader && names.length === 0)) return text;
    seen.add(member);
    const isKept = (way: readonly string[]) => isSame(valueAt(older, way), valueAt(members, way));
    if (isKept([member]) || isKept(path)) return text;
    const wanted = valueAt(members, path);
    if (wanted === undefined) return commentOf(text).trimStart();
    if (isHeader) return text;
    const indent = text.slice(0, text.length - text.trimStart().length);
    return `${indent}${names.map(nameText).join('.')} = ${valueText(wanted)}${commentOf(text)}`;
  });
  const added = Object.entries(members).flatMap(([name, value]) =>
    seen.has(name) ? [] : [`${nameText(name)} = ${valueText(value)}${eol}`],
  );
  // behind the last value of the table itself, or behind its header
  const isMain = (statement: Statement) =>
    isOwn(statement) &&
    statement.table.length === place.length &&
    (statement.isHeader || statement.names.length > 0);
  const last = statements.findLastIndex(isMain);
  const header = last < 0 && added.length > 0 ? [`[${place.map(nameText).join('.')}]${eol}`] : [];
  const at = last < 0 ? statements.findIndex(isOwn) : last + 1;
  const start = edited.slice(0, at).join('');
  const end = start === '' || start.endsWith('\n') || added.length === 0 ? '' : eol;
  return [start, end, ...header, ...added, ...edited.slice(at)].join('');
}

/** The comment behind a value or a header, with the space before it; else the end of the line. */
function commentOf(text: string): string {
  const content = contentIfWhole(text);
  const ends = [...text.matchAll(/#/g)].map(({ index }) => index);
  const at = ends.find((end) => isSame(contentIfWhole(text.slice(0, end)), content));
  return text.slice(text.slice(0, at).trimEnd().length);
}

/** A table at the end of the file; not valid where the tables around it are on one line. */
function withTable(text: string, place: readonly string[], members: Table): string {
  const eol = eolOf(text);
  const lines = Object.entries(members).map(
    ([name, value]) => `${nameText(name)} = ${valueText(value)}`,
  );
  const end = text === '' || text.endsWith('\n') ? '' : eol;
  const space = text.trim() === '' ? '' : eol;
  return text + end + space + [`[${place.map(nameText).join('.')}]`, ...lines, ''].join(eol);
}

/** With the table in braces: in the place of one of this name, or as the last of those around. */
function* onOneLine(text: string, place: readonly string[], members: Table) {
  const name = place.at(-1) ?? '';
  const member = `${nameText(name)} = ${valueText(members)}`;
  const ends = [...text.matchAll(/\}/g)].map(({ index }) => index);
  for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + 1))
    for (const end of ends)
      if (end > start) yield text.slice(0, start) + member + text.slice(end + 1);
  for (const end of ends) {
    const start = text.slice(0, end).trimEnd();
    yield `${start}${start.endsWith('{') ? '' : ','} ${member} ${text.slice(end)}`;
  }
}

const nameText = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** A text, a list or a table in one line. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isTable(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const members = Object.entries(value).map(
    ([name, inner]) => `${nameText(name)} = ${valueText(inner)}`,
  );
  return `{ ${members.join(', ')} }`;
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
