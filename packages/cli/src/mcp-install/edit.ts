import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch';
import {
  applyEdits,
  type ModificationOptions,
  modify,
  type ParseError,
  parse as parseJson,
  printParseErrorCode,
} from 'jsonc-parser';
import { isTable, type McpEntry, type McpHost } from './hosts.ts';

/** The name of the entry. */
export const ENTRY_NAME = 'trawl';

/**
 * Members that say how to reach a server, of all programs. An older entry loses those that the new
 * one lacks, such as a key in plain text; others, such as a time limit, stay.
 */
const CONNECTING = [
  ...['type', 'url', 'headers', 'oauth', 'command', 'args', 'env', 'environment', 'envFile'],
  ...['bearer_token', 'bearer_token_env_var', 'http_headers', 'env_http_headers', 'env_vars'],
];

/** A settings file that cannot be edited: what is wrong, and where. */
export class EditError extends Error {}

type Table = Record<string, unknown>;

/**
 * The text of a settings file with the entry in it, and everything else as it was, comments
 * included. The same text when nothing changes.
 * @param text empty for a file that does not exist
 * @throws EditError for a text that is not of the format, or has something else in the place
 */
export function withEntry(text: string, host: McpHost, entry: McpEntry): string {
  const content = contentOf(text, host);
  const place = [...host.place(content), ENTRY_NAME];
  // a copy would lose what the parser knows of dates
  const wanted = contentOf(text, host);
  const members = membersOf(wanted, place);
  const gone = CONNECTING.filter((name) => name in members && !(name in entry));
  for (const name of gone) delete members[name];
  Object.assign(members, entry);
  if (isSame(wanted, content)) return text;
  const removed = Object.fromEntries(gone.map((name) => [name, undefined]));
  const json = () => editedJson(text, place, { ...removed, ...entry });
  const toml = () => patchToml(text, wanted);
  // the library would make a dotted key at the top, away from the tables of other servers
  const table = () => withTable(text, place, entry);
  const tomlWays = isAt(content, place) ? [toml] : [table, toml];
  const ways = host.format === 'json' ? [json] : tomlWays;
  for (const edit of ways) {
    const edited = edit();
    if (readsAs(edited, host, wanted)) return edited;
  }
  // a name that is there twice is edited in one place, and read from the other
  throw new EditError(`${place.join('.')} cannot be set: is one of its names there twice?`);
}

function readsAs(text: string, host: McpHost, wanted: Table): boolean {
  try {
    return isSame(contentOf(text, host), wanted);
  } catch {
    return false;
  }
}

/** The tables of a parser have another prototype than ours. */
const isSame = (one: Table, other: Table): boolean =>
  isDeepStrictEqual(structuredClone(one), structuredClone(other));

/** Whether a text has the entry. @throws EditError for a text that is not of the format */
export function hasEntry(text: string, host: McpHost): boolean {
  const content = contentOf(text, host);
  return isAt(content, [...host.place(content), ENTRY_NAME]);
}

function isAt(content: Table, place: readonly string[]): boolean {
  let value: unknown = content;
  for (const name of place) value = isTable(value) ? value[name] : undefined;
  return value !== undefined;
}

/** The table at the place; made if it is missing. */
function membersOf(content: Table, place: readonly string[]): Table {
  let table = content;
  for (const [index, name] of place.entries()) {
    const inner = table[name] === undefined ? {} : table[name];
    if (!isTable(inner)) {
      throw new EditError(`${place.slice(0, index + 1).join('.')} is not an object: correct it`);
    }
    table[name] = inner;
    table = inner;
  }
  return table;
}

function contentOf(text: string, { format }: McpHost): Table {
  if (text.trim() === '') return {};
  return format === 'json' ? jsonContent(text) : tomlContent(text);
}

function jsonContent(text: string): Table {
  const errors: ParseError[] = [];
  const content: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    const what = printParseErrorCode(first.error);
    throw new EditError(`it is not JSON: ${what} in line ${before.length}, column ${column}`);
  }
  if (!isTable(content)) throw new EditError('it is not a JSON object');
  return content;
}

function tomlContent(text: string): Table {
  try {
    return parseToml(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // the message goes on with the line, which may have a secret
    throw new EditError(`it is not TOML: ${message.split('\n', 1)[0]}`);
  }
}

/** A table at the end of the file; not valid where the tables around it are on one line. */
function withTable(text: string, place: readonly string[], entry: McpEntry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const end = text === '' || text.endsWith('\n') ? '' : eol;
  const space = text.trim() === '' ? '' : eol;
  return text + end + space + [`[${place.join('.')}]`, ...lines, ''].join(eol);
}

/** Members that are undefined are removed. */
function editedJson(
  text: string,
  place: readonly string[],
  members: Readonly<Record<string, unknown>>,
): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const isTabbed = indent.startsWith('\t');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = {
    insertSpaces: !isTabbed,
    tabSize: isTabbed ? 1 : indent.length,
    eol,
  };
  const set = (
    before: string,
    path: readonly string[],
    options: ModificationOptions,
    to: unknown,
  ) => applyEdits(before, modify(before, [...path], to, { formattingOptions, ...options }));
  if (text.trim() === '') return `${set('', place, {}, members)}${eol}`;
  if (!isAt(jsonContent(text), place)) {
    // behind the last entry, the new one would come between that and its comment
    return set(text, place, { getInsertionIndex: () => 0 }, members);
  }
  // each on its own, so that comments in an older entry stay
  return Object.entries(members).reduce(
    (edited, [name, value]) => set(edited, [...place, name], {}, value),
    text,
  );
}
