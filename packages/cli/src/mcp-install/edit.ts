import { type McpEntry, type McpHost, OUR_VARIABLES } from './hosts.ts';
import { jsonContent, jsonText } from './json-text.ts';
import { EditError, isSame, isTable, type Table, valueAt } from './settings-text.ts';
import { tomlContent, tomlTexts } from './toml-text.ts';

/** The name of the entry. */
export const ENTRY_NAME = 'trawl';

/**
 * Members that say how to reach a server, of all programs. An older entry loses those that the new
 * one lacks, such as a key in plain text; others, such as a time limit, stay.
 */
const CONNECTING = [
  ...['type', 'url', 'oauth', 'command', 'args', 'envFile'],
  ...['bearer_token', 'bearer_token_env_var'],
];

const AUTHORIZATION = /^authorization$/i;
/** Members of which only some names are ours: an older entry loses those, and keeps the rest. */
const SHARED: Readonly<Record<string, RegExp>> = {
  headers: AUTHORIZATION,
  http_headers: AUTHORIZATION,
  env_http_headers: AUTHORIZATION,
  env: OUR_VARIABLES,
  environment: OUR_VARIABLES,
};

/**
 * The text of a settings file with the entry in it, and everything else as it was, comments
 * included. The same text when nothing changes.
 * @param text empty for a file that does not exist
 * @throws EditError for a text that is not of the format, or has something else in the place
 */
export function withEntry(text: string, host: McpHost, entry: McpEntry): string {
  const before = contentOf(text, host);
  const place = placeIn(before, host);
  const wanted = structuredClone(before);
  const parent = tableAt(wanted, place.slice(0, -1));
  const members = renewed(tableAt(wanted, place), entry, host);
  parent[ENTRY_NAME] = members;
  if (isSame(wanted, before)) return text;
  for (const edited of textsWith(text, place, members, host))
    if (readsAs(edited, host, wanted)) return edited;
  // a name that is there twice is edited in one place, and read from the other
  const table = host.format === 'json' ? '' : `, or is it not the table [${place.join('.')}]`;
  throw new EditError(`${place.join('.')} cannot be set: is one of its names there twice${table}?`);
}

/** The entry alone, as a file with this text would have it. @throws EditError as `withEntry` */
export function entryAlone(text: string, host: McpHost, entry: McpEntry): string {
  withEntry(text, host, entry);
  const place = placeIn(contentOf(text, host), host);
  const [alone = ''] = textsWith('', place, entry, host);
  return alone;
}

/** Whether a text has the entry. @throws EditError for a text that is not of the format */
export function hasEntry(text: string, host: McpHost): boolean {
  const content = contentOf(text, host);
  return valueAt(content, placeIn(content, host)) !== undefined;
}

const placeIn = (content: Table, host: McpHost): readonly string[] => [
  ...host.place(content),
  ENTRY_NAME,
];

/** The members of an older entry that stay, and the new ones. */
function renewed(older: Table, entry: McpEntry, { refused = [] }: McpHost): Table {
  const kept: Table = {};
  for (const [name, value] of Object.entries(older)) {
    const ours = SHARED[name];
    if (refused.includes(name)) continue;
    if (ours && isTable(value)) {
      const others = Object.entries(value).filter(([inner]) => !ours.test(inner));
      if (others.length > 0) kept[name] = Object.fromEntries(others);
      // an id or a port for logins, as an object, is not the key
    } else if ((name === 'oauth' && isTable(value)) || !(ours || CONNECTING.includes(name))) {
      kept[name] = value;
    }
  }
  for (const [name, value] of Object.entries(entry)) {
    const others = kept[name];
    kept[name] = isTable(others) && isTable(value) ? { ...others, ...value } : value;
  }
  return kept;
}

function readsAs(text: string, host: McpHost, wanted: Table): boolean {
  try {
    return isSame(contentOf(text, host), wanted);
  } catch {
    return false;
  }
}

/** The table at the place; made if it is missing. */
function tableAt(content: Table, place: readonly string[]): Table {
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

/** Texts with these members in the place, best first. */
const textsWith = (text: string, place: readonly string[], members: Table, { format }: McpHost) =>
  format === 'json' ? [jsonText(text, place, members)] : tomlTexts(text, place, members);

const contentOf = (text: string, { format }: McpHost): Table =>
  format === 'json' ? jsonContent(text) : tomlContent(text);
