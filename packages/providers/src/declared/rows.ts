import { isJsonObject, type JsonObject, type Warning } from '@trawl/contract';
import type { Wanted } from '../declaration/search.ts';
import { rowReader } from '../parsed/rows.ts';
import type { ParsedRow } from '../parsed/search.ts';
import { dated, isoFromUnix, type RowDate } from '../values/dates.ts';
import { list, without } from '../values/json.ts';
import { readerAt } from '../values/paths.ts';
import { type DeclaredEntry, MAPPED_FIELDS, type MappedField } from './schema.ts';

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

/** Dates are words or Unix times. */
function dateOf(value: unknown): RowDate {
  const { publish_date, sent_date } = dated(value);
  return { publish_date: publish_date ?? isoFromUnix(value), sent_date };
}

/** A row, and what it was read from. */
interface ReadRow {
  readonly row: ParsedRow;
  readonly sent: JsonObject;
}

/** Reads the rows of an answer, with what is to be said about values that do not fit. */
export function declaredRows({
  slug,
  fields,
}: Pick<DeclaredEntry, 'slug' | 'fields'>): (
  answered: unknown,
  wanted: Wanted,
) => { readonly rows: readonly ParsedRow[]; readonly remarks: readonly Warning[] } {
  const mapped = MAPPED_FIELDS.flatMap((field): Mapped | readonly [] => {
    const path = fields[field];
    return path === undefined ? [] : { field, path, valueAt: readerAt(path) };
  });
  const { publish_date: at, ...places } = fields;
  const date = at === undefined ? undefined : { at, read: dateOf };
  const rowsIn = rowReader({ ...places, date, dropped: 'all' });
  return (answered, wanted) => {
    const sent = list(answered);
    const rows = rowsIn(sent).map((row, index) => withUnread(row, sent[index], mapped));
    const pairs = rows.flatMap((row, index): ReadRow | readonly [] => {
      const from = sent[index];
      return isJsonObject(from) ? { row, sent: from } : [];
    });
    const remarks = mapped
      .filter(({ field }) => field === 'url' || wanted.fields.has(activeName(field)))
      .flatMap((one) => remarksOf(slug, one, pairs));
    return { rows, remarks };
  };
}

/** An author is a part of the field source. */
const activeName = (field: MappedField) => (field === 'author' ? 'source' : field);

/** What could not be read, and objects of which only a part was, stay in `enrichments`. */
function withUnread(row: ParsedRow, sent: unknown, mapped: readonly Mapped[]): ParsedRow {
  if (!isJsonObject(sent)) return row;
  const used = mapped.filter(({ field, path }) => row[field] !== null && !path.includes('.'));
  return { ...row, enrichments: without(sent, new Set(used.map(({ path }) => path))) };
}

function remarksOf(
  slug: string,
  { field, path, valueAt }: Mapped,
  rows: readonly ReadRow[],
): readonly Warning[] {
  const unread = rows.filter(({ row }) => row[field] === null).map(({ sent }) => valueAt(sent));
  const wrong = unread.filter((value) => value !== undefined && value !== null && value !== '');
  if (wrong.length > 0) {
    const message = `${field}: ${slug} sent a value at ${path} that is not ${KINDS[field] ?? 'a text'} in ${wrong.length} of ${rows.length} rows`;
    return [{ code: 'upstream_warning', message }];
  }
  if (rows.length === 0 || unread.length < rows.length) return [];
  const message = `${field}: ${slug} has nothing at ${path} in any of its ${rows.length} rows`;
  return [{ code: 'capability_gap', message }];
}
