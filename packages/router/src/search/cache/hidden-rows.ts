import { parseJson, writeJson } from '@trawl/contract';
import type { RowFacts } from '../normalize.ts';

/** The members of a row that merged lists and postprocessors read. */
const MEMBERS = [
  'url',
  'domain',
  'title',
  'summary',
  'excerpt',
  'publish_date',
  'author',
] as const satisfies readonly (keyof RowFacts)[];

/** Rows as they are kept next to a run that may not show all of their members. */
export const hiddenText = (rows: readonly RowFacts[]): string =>
  writeJson(rows.map((row) => MEMBERS.map((member) => row[member])));

/** The rows of `hiddenText`. */
export function hiddenRows(text: string): readonly RowFacts[] {
  // what `hiddenText` wrote
  const rows = parseJson(text) as (string | null)[][];
  return rows.map(
    (values) =>
      Object.fromEntries(
        MEMBERS.map((member, at) => [member, values[at] ?? null]),
      ) as unknown as RowFacts,
  );
}
