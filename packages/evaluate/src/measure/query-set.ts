import { createHash } from 'node:crypto';
import { comparableUrl, isJsonObject, SearchFilters, TOPICS, type Topic } from '@trawl/contract';
import { seededRandom } from '../statistics/intervals.ts';
import { csvRows } from './csv.ts';

/** A query to measure with, and what is known about its answer. */
export interface SetQuery {
  /** Unique in its set. */
  readonly id: string;
  readonly query: string;
  /** null = not given. */
  readonly topic: Topic | null;
  /** Pages that are right; empty = unknown. */
  readonly goldUrls: readonly string[];
  /** null = unknown. */
  readonly expectedAnswer: string | null;
  readonly filters: SearchFilters | null;
}

/** Queries with the name of their set and the hash of the text that they were read from. */
export interface QuerySet {
  readonly name: string;
  readonly sha256: string;
  readonly queries: readonly SetQuery[];
  /** Where it comes from and under which licence; null = a file of the user's. */
  readonly origin: SetOrigin | null;
}

export interface SetOrigin {
  readonly source: string;
  readonly licence: string;
}

export const SET_COLUMNS = [
  'query',
  'id',
  'topic',
  'gold_urls',
  'expected_answer',
  'filters',
] as const;
type Column = (typeof SET_COLUMNS)[number];

/** A row of a set before it was checked. */
export type SetFields = Readonly<Partial<Record<Column, unknown>>>;

export interface NumberedFields {
  readonly line: number;
  readonly fields: SetFields;
}

const QUERIES_MAX = 10_000;
const TEXT_MAX = 2_000;
const ID_MAX = 200;
export const GOLD_MAX = 50;

export const isWebUrl = (text: string): boolean =>
  /^https?:\/\//i.test(text) && comparableUrl(text) !== null;

export const sha256Of = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

/**
 * Reads a set: JSON objects, one per line, or comma-separated values with a line of column names.
 * @throws Error naming line and column, the fault and the fix
 */
export function readSetFile(text: string): readonly SetQuery[] {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  return checkedQueries(plain.trimStart().startsWith('{') ? jsonLines(plain) : csvFields(plain));
}

/** @throws Error naming the line of the first row that cannot be used */
export function checkedQueries(rows: readonly NumberedFields[]): readonly SetQuery[] {
  if (rows.length === 0) throw new Error('it has no queries');
  if (rows.length > QUERIES_MAX) throw new Error(`it has more than ${QUERIES_MAX} queries`);
  const lines = new Map<string, number>();
  const asked = new Map<string, number>();
  return rows.map(({ line, fields }, index) => {
    const query = setQuery(fields, String(index + 1), line);
    const before = lines.get(query.id);
    if (before !== undefined) {
      throw new Error(`line ${line}, id: ${shown(query.id)} is that of line ${before} too`);
    }
    lines.set(query.id, line);
    const same = JSON.stringify([query.query, query.filters]);
    const first = asked.get(same);
    if (first !== undefined) {
      throw new Error(
        `line ${line}, query: line ${first} asks the same with the same filters; remove one`,
      );
    }
    asked.set(same, line);
    return query;
  });
}

function jsonLines(text: string): readonly NumberedFields[] {
  return text.split('\n').flatMap((content, index): NumberedFields[] => {
    if (content.trim() === '') return [];
    const line = index + 1;
    const fields = jsonOf(content, `line ${line}`);
    const unknown = Object.keys(fields).find((name) => !isColumn(name));
    if (unknown !== undefined) throw new Error(unknownColumn(line, unknown));
    return [{ line, fields }];
  });
}

function csvFields(text: string): readonly NumberedFields[] {
  const [head, ...rows] = csvRows(text);
  if (head === undefined) return [];
  const names = head.cells.map((cell) => cell.trim().toLowerCase());
  for (const [index, name] of names.entries()) {
    if (!isColumn(name)) throw new Error(`${unknownColumn(head.line, name)} (column ${index + 1})`);
    if (names.indexOf(name) < index) {
      throw new Error(`line ${head.line}, ${name}: the column is there twice`);
    }
  }
  if (!names.includes('query')) {
    throw new Error(`line ${head.line} lacks the column query; ${COLUMNS_ARE}`);
  }
  return rows.map(({ line, cells }) => {
    if (cells.length > names.length) {
      throw new Error(
        `line ${line} has ${cells.length} cells for ${names.length} columns; put texts with commas in quotation marks`,
      );
    }
    const given = cells.map((cell, index) => [
      names[index] ?? '',
      cellValue(names[index], cell, line),
    ]);
    return { line, fields: Object.fromEntries(given) };
  });
}

function cellValue(name: string | undefined, cell: string, line: number): unknown {
  const text = cell.trim();
  if (text === '') return undefined;
  if (name === 'gold_urls') return text.split(/\s+/);
  return name === 'filters' ? jsonOf(text, `line ${line}, filters:`) : text;
}

function jsonOf(text: string, place: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${place} is not JSON; write an object such as {"query": "tidal power"}`);
  }
  if (!isJsonObject(value)) throw new Error(`${place} is not a JSON object`);
  return value;
}

const isColumn = (name: string): name is Column => SET_COLUMNS.some((known) => known === name);
const COLUMNS_ARE = `the columns are ${SET_COLUMNS.join(', ')}`;
const unknownColumn = (line: number, name: string): string =>
  `line ${line} has an unknown column ${shown(name)}; ${COLUMNS_ARE}`;
const shown = (text: string): string => JSON.stringify(text.slice(0, 80));

function setQuery(fields: SetFields, place: string, line: number): SetQuery {
  const textAt = (name: Column, most: number): string | null => {
    const value = fields[name] ?? null;
    if (value === null) return null;
    if (typeof value !== 'string') throw new Error(`line ${line}, ${name}: it is not a text`);
    if (value.trim().length > most) {
      throw new Error(`line ${line}, ${name}: it has more than ${most} characters`);
    }
    return value.trim() === '' ? null : value.trim();
  };
  const query = textAt('query', TEXT_MAX);
  if (query === null) throw new Error(`line ${line}, query: it is empty`);
  return {
    id: textAt('id', ID_MAX) ?? place,
    query,
    topic: topicOf(textAt('topic', ID_MAX), line),
    goldUrls: goldOf(fields.gold_urls ?? [], line),
    expectedAnswer: textAt('expected_answer', TEXT_MAX),
    filters: filtersOf(fields.filters ?? null, line),
  };
}

function topicOf(name: string | null, line: number): Topic | null {
  if (name === null) return null;
  const topic = TOPICS.find((known) => known === name);
  if (topic !== undefined) return topic;
  throw new Error(
    `line ${line}, topic: ${shown(name)} is unknown; the topics are ${TOPICS.join(', ')}`,
  );
}

function goldOf(value: unknown, line: number): readonly string[] {
  if (!Array.isArray(value) || value.length > GOLD_MAX) {
    throw new Error(`line ${line}, gold_urls: write a list of at most ${GOLD_MAX} URLs`);
  }
  for (const url of value) {
    if (typeof url !== 'string' || !isWebUrl(url)) {
      throw new Error(`line ${line}, gold_urls: ${shown(String(url))} is not an http(s) URL`);
    }
  }
  return [...new Set<string>(value)];
}

function filtersOf(value: unknown, line: number): SearchFilters | null {
  if (value === null) return null;
  const { success, data, error } = SearchFilters.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const path = ['filters', ...(issue?.path ?? [])].join('.');
  throw new Error(`line ${line}, ${path}: ${issue?.message}`);
}

/** As many queries by chance, in their order; the same for the same seed. */
export function sampled(
  queries: readonly SetQuery[],
  count: number,
  seed: number,
): readonly SetQuery[] {
  const random = seededRandom(seed);
  const drawn = queries
    .map((query) => ({ query, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, count);
  const chosen = new Set(drawn.map(({ query }) => query));
  return queries.filter((query) => chosen.has(query));
}
