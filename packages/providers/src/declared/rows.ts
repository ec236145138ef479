import { isJsonObject, type JsonObject, type Warning } from '@trawl/contract';
import type { Wanted } from '../declaration/search.ts';
import { type ParsedRow, readRows, type SuppliedRow } from '../parsed/search.ts';
import { dated, isoDate, isoFromUnix } from '../values/dates.ts';
import { without } from '../values/json.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { readerAt } from './paths.ts';
import { type DeclaredEntry, MAPPED_FIELDS, type MappedField } from './schema.ts';

/** How a value becomes a field; null = it is of the wrong kind. `page` is the URL of the row. */
const READERS: {
  readonly [Field in MappedField]: (value: unknown, page: unknown) => SuppliedRow[Field] | null;
} = {
  url: text,
  title: limitedTitle,
  summary: limitedText,
  excerpt: limitedText,
  full_content: text,
  publish_date: (value) => isoDate(value) ?? isoFromUnix(value),
  thumbnail: absoluteUrl,
  favicon: absoluteUrl,
  author: limitedTitle,
};

const KINDS: Readonly<Partial<Record<MappedField, string>>> = {
  publish_date: 'a date',
  thumbnail: 'an http(s) URL',
  favicon: 'an http(s) URL',
};

interface Mapped {
  readonly field: MappedField;
  readonly path: string;
  readonly valueAt: (row: unknown) => unknown;
}

/** The fields of one answer whose values could not be read, or were nowhere, by row. */
interface Tally {
  readonly wrong: Map<MappedField, number>;
  readonly absent: Map<MappedField, number>;
}

/** Reads the rows of an answer, with what is to be said about values that do not fit. */
export function rowReader({
  slug,
  fields,
}: Pick<DeclaredEntry, 'slug' | 'fields'>): (
  rows: unknown,
  wanted: Wanted,
) => { readonly rows: readonly ParsedRow[]; readonly remarks: readonly Warning[] } {
  const mapped = MAPPED_FIELDS.flatMap((field): Mapped | readonly [] => {
    const path = fields[field];
    return path === undefined ? [] : { field, path, valueAt: readerAt(path) };
  });
  return (list, wanted) => {
    const tally: Tally = { wrong: new Map(), absent: new Map() };
    const rows = readRows(list, (row) => readRow(row, mapped, tally));
    const objects = (Array.isArray(list) ? list : []).filter(isJsonObject).length;
    const remarks = mapped
      .filter(({ field }) => field === 'url' || wanted.fields.has(activeName(field)))
      .flatMap((one) => remarksOf(slug, one, tally, objects));
    return { rows, remarks };
  };
}

/** An author is a part of the field source. */
const activeName = (field: MappedField) => (field === 'author' ? 'source' : field);

function readRow(row: JsonObject, mapped: readonly Mapped[], tally: Tally): SuppliedRow {
  const read: Record<string, unknown> = {};
  const used = new Set<string>();
  for (const { field, path, valueAt } of mapped) {
    const value = valueAt(row);
    if (field === 'publish_date') Object.assign(read, dated(value));
    const found = READERS[field](value, read.url);
    if (found !== null && found !== undefined) {
      read[field] = found;
      if (!path.includes('.')) used.add(path);
    } else if (value === undefined || value === null || value === '') add(tally.absent, field);
    else add(tally.wrong, field);
  }
  // what could not be read, and objects of which only a part was, stay there
  return { ...read, enrichments: without(row, used) };
}

const add = (counts: Map<MappedField, number>, field: MappedField) =>
  counts.set(field, (counts.get(field) ?? 0) + 1);

function remarksOf(
  slug: string,
  { field, path }: Mapped,
  { wrong, absent }: Tally,
  rows: number,
): readonly Warning[] {
  const bad = wrong.get(field) ?? 0;
  if (bad > 0) {
    const message = `${field}: ${slug} sent a value at ${path} that is not ${KINDS[field] ?? 'a text'} in ${bad} of ${rows} rows`;
    return [{ code: 'upstream_warning', message }];
  }
  if (rows === 0 || absent.get(field) !== rows) return [];
  const message = `${field}: ${slug} has nothing at ${path} in any of its ${rows} rows`;
  return [{ code: 'capability_gap', message }];
}
