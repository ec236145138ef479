/**
 * Readers of what upstreams send. A missing key, null, an empty string, an empty list and a value of another type
 * all mean "no value"; none of them throws.
 */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { notingCuts } from './cut-texts.ts';
import { isoDate } from './dates.ts';
import type { ParsedRow } from './declaration.ts';

export function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

export function finiteNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objects(value: unknown): readonly JsonObject[] {
  return list(value).filter(isJsonObject);
}

export function texts(value: unknown): readonly string[] {
  return list(value).flatMap((item) => text(item) ?? []);
}

/** Texts joined by a blank line; null when there are none. */
export function paragraphs(value: unknown): string | null {
  const parts = texts(value).map((part) => part.trim());
  return parts.length > 0 ? parts.join('\n\n') : null;
}

/** An object without some of its keys. */
export function without(source: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.has(key)));
}

/**
 * What is left of a row for `enrichments`: the keys that a declaration does not consume, and a date that could not be
 * read, such as "2 days ago", in the provider's own words.
 */
export function leftOver(
  row: JsonObject,
  consumed: ReadonlySet<string>,
  dateKey: string,
): JsonObject {
  const left = without(row, consumed);
  const date = row[dateKey];
  const isValue = text(date) !== null || finiteNumber(date) !== null;
  return !isValue || isoDate(date) !== null ? left : { ...left, [dateKey]: date };
}

const EMPTY_ROW: ParsedRow = {
  url: null,
  title: null,
  summary: null,
  excerpt: null,
  full_content: null,
  publish_date: null,
  thumbnail: null,
  favicon: null,
  author: null,
  fetch_meta: null,
  enrichments: {},
};

/**
 * The rows of an answer. Each is read from its own object; fields that a reader leaves out are null. What is not an
 * object becomes an empty row, so that it is counted where rows without a URL are left out.
 */
export function readRows(
  rows: unknown,
  read: (row: JsonObject) => Partial<ParsedRow>,
): readonly ParsedRow[] {
  return list(rows).map((row) => {
    if (!isJsonObject(row)) return EMPTY_ROW;
    const { value, cuts } = notingCuts(() => read(row));
    if (cuts.size === 0) return { ...EMPTY_ROW, ...value };
    const cut = SHORT_TEXTS.filter((field) => holds(value[field], cuts));
    return { ...EMPTY_ROW, ...value, cut };
  });
}

const SHORT_TEXTS = ['title', 'summary', 'excerpt', 'author'] as const;

/** Several texts may be one field. */
const holds = (value: string | null | undefined, cuts: ReadonlySet<string>): boolean =>
  typeof value === 'string' && [...cuts].some((text) => value.includes(text));
