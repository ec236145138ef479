import { isDeepStrictEqual } from 'node:util';

/** A settings file that cannot be edited: what is wrong, and where. */
export class EditError extends Error {}

/** How the lines of a text end. */
export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** An object of JSON, or a table of TOML. */
export type Table = Record<string, unknown>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values are the same. The tables of a parser have another prototype than ours. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(structuredClone(one), structuredClone(other));

/** What is at the end of these names; undefined where one of them is missing. */
export function valueAt(content: unknown, names: readonly string[]): unknown {
  let value = content;
  for (const name of names) value = isTable(value) ? value[name] : undefined;
  return value;
}
