import { parseJson, writeJson } from '@trawl/contract/exact-json';

declare const writtenFrom: unique symbol;

/** Only for the compiler: the type that a text was written from. */
interface WrittenFrom<T> {
  readonly [writtenFrom]: T;
}

/** The JSON text of a value of this type. */
export type JsonText<T> = string & WrittenFrom<T>;

/**
 * The same in parts, to be sent one after the other, so that large texts need not be copied to join
 * them.
 */
export type JsonParts<T> = readonly string[] & WrittenFrom<T>;

export type Json<T> = JsonText<T> | JsonParts<T>;

/**
 * A value and its JSON text, which is made once and shared by the store, the answer and its events.
 */
export interface Recorded<T> {
  readonly value: T;
  readonly text: JsonText<T>;
}

/** A value as JSON. */
export function jsonText<T>(value: NoInfer<T>): JsonText<T> {
  return writeJson(value) as JsonText<T>;
}

/** An escaped backslash (matched so that it is skipped as a whole), or half of a surrogate pair. */
const HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON that every parser accepts: `JSON.stringify` writes half a surrogate pair as an
 * escape, and strict parsers then refuse the whole document.
 */
export function wellFormedJson<T>(value: NoInfer<T>): JsonText<T> {
  const text = writeJson(value);
  if (!text.includes('\\ud')) return text as JsonText<T>;
  return text.replace(HALF, (found) => (found === '\\\\' ? found : '\\ufffd')) as JsonText<T>;
}

/** Pairs a value with its text, as JSON that every parser accepts. */
export function recorded<T>(value: NoInfer<T>): Recorded<T> {
  return { value, text: wellFormedJson<T>(value) };
}

/** Parses a text back into its value. */
export function readJson<T>(text: JsonText<T>): T {
  return parseJson(text) as T;
}

/** The texts of an object's members; undefined = the object does not have it. */
export type JsonMembers<T> = {
  readonly [K in keyof T]:
    | Json<Exclude<T[K], undefined>>
    | (undefined extends T[K] ? undefined : never);
};

/** The text of an object, from the texts of its members, in order. */
export function objectParts<T extends object>(members: NoInfer<JsonMembers<T>>): JsonParts<T> {
  const parts: string[] = [];
  let frame = '';
  const texts: Readonly<Record<string, string | readonly string[] | undefined>> = members;
  for (const key in texts) {
    const json = texts[key];
    if (json === undefined) continue;
    frame += `${frame === '' && parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`;
    if (typeof json === 'string') {
      frame += json;
      continue;
    }
    parts.push(frame);
    for (const part of json) parts.push(part);
    frame = '';
  }
  parts.push(parts.length === 0 && frame === '' ? '{}' : `${frame}}`);
  return parts as readonly string[] as JsonParts<T>;
}

/**
 * The text of an object of which one member has a text already, between others that are written
 * here.
 */
export function objectAround<T extends object, Key extends keyof T & string>(
  before: Partial<T>,
  [key, json]: readonly [key: Key, json: Json<NoInfer<T[Key]>>],
  after: Partial<T>,
): JsonParts<T> {
  const start = wellFormedJson(before).slice(0, -1);
  const end = wellFormedJson(after).slice(1);
  const parts: readonly string[] = [
    `${start}${start === '{' ? '' : ','}${JSON.stringify(key)}:`,
    ...(typeof json === 'string' ? [json] : json),
    end === '}' ? end : `,${end}`,
  ];
  return parts as JsonParts<T>;
}

/** The text of an array, from the texts of its items. */
export function arrayParts<T>(items: readonly Json<T>[]): JsonParts<T[]> {
  const parts = ['['];
  for (const item of items) {
    if (parts.length > 1) parts.push(',');
    if (typeof item === 'string') parts.push(item);
    else for (const part of item) parts.push(part);
  }
  parts.push(']');
  return parts as readonly string[] as JsonParts<T[]>;
}

/** The parts as one text. */
export function joined<T>(parts: JsonParts<T>): JsonText<T> {
  return parts.join('') as JsonText<T>;
}
