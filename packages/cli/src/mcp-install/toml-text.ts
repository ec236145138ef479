import { parse, TomlError } from 'smol-toml';
import { EditError, eolOf, isSame, isTable, type Table, valueAt } from './settings-text.ts';

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
  yield withLines(text, place, members);
  yield* onOneLine(text, place, members);
}

/** One or more lines that belong together: a header, a value, or space and comments. */
interface Statement {
  readonly lines: string;
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
    statements.push({ lines, table, isHeader, names: isHeader ? [] : names });
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

/**
 * The table with its lines in their places, or a new one at the end, which is not valid where the
 * tables around it are on one line.
 */
function withLines(text: string, place: readonly string[], members: Table): string {
  const eol = eolOf(text);
  const older = valueAt(tomlContent(text), place);
  const statements = statementsOf(text);
  const isOwn = ({ table }: Statement) => place.every((name, index) => table[index] === name);
  const seen = new Set<string>();
  const edited = statements.map((statement) => {
    const { lines, table, isHeader, names } = statement;
    if (!isOwn(statement)) return lines;
    const path = [...table.slice(place.length), ...names];
    const [member] = path;
    if (member === undefined || (!isHeader && names.length === 0)) return lines;
    seen.add(member);
    const isKept = (way: readonly string[]) => isSame(valueAt(older, way), valueAt(members, way));
    if (isKept([member]) || isKept(path)) return lines;
    const wanted = valueAt(members, path);
    if (wanted === undefined) return commentOf(lines).trimStart();
    if (isHeader) return lines;
    const indent = lines.slice(0, lines.length - lines.trimStart().length);
    return `${indent}${names.map(nameText).join('.')} = ${valueText(wanted)}${commentOf(lines)}`;
  });
  const added = Object.entries(members)
    .filter(([name]) => !seen.has(name))
    .map(([name, value]) => `${nameText(name)} = ${valueText(value)}${eol}`);
  if (added.length === 0) return edited.join('');
  // behind the last value of the table itself, or behind its header
  const last = statements.findLastIndex(
    (each) =>
      isOwn(each) && each.table.length === place.length && (each.isHeader || each.names.length > 0),
  );
  const first = statements.findIndex(isOwn);
  const top = first < 0 ? statements.length : first;
  const at = last < 0 ? top : last + 1;
  const start = edited.slice(0, at).join('');
  const end = start === '' || start.endsWith('\n') ? '' : eol;
  const space = first < 0 && start.trim() !== '' ? eol : '';
  const header = last < 0 ? [`${space}[${place.join('.')}]${eol}`] : [];
  return [start, end, ...header, ...added, ...edited.slice(at)].join('');
}

/** The comment behind a value or a header, with the space before it; else the end of the line. */
function commentOf(text: string): string {
  const content = contentIfWhole(text);
  const ends = [...text.matchAll(/#/g)].map(({ index }) => index);
  const at = ends.find((end) => isSame(contentIfWhole(text.slice(0, end)), content));
  return text.slice(text.slice(0, at).trimEnd().length);
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
