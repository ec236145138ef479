import { ODD_ROWS, oddRows, type RowMembers } from '../faults/odd-rows.ts';
import type { JsonObject } from '../util/json.ts';
import { type Page, type PageRequest, pagesFor } from '../web/pages.ts';
import type { VendorRequest } from './vendor.ts';

/** A search of the fictional web; without `start` from its first page. */
type Asked = Omit<PageRequest, 'vendor' | 'start'> & Partial<Pick<PageRequest, 'start'>>;

/** The pages that the vendor finds; faults may change their number. */
export function pagesFound(request: VendorRequest, asked: Asked): readonly Page[] {
  const count = rowCount(request, asked.count);
  return pagesFor({ start: 0, ...asked, vendor: request.vendor, count });
}

/** The facts of a vendor's search in `api.json`. */
interface SearchFacts {
  readonly habits: PageRequest['habits'];
  readonly members: RowMembers;
}

/** The final rows of the pages that the vendor finds. */
export function rowsFound(
  request: VendorRequest,
  { habits, members }: SearchFacts,
  asked: Asked,
  rowOf: (page: Page, index: number) => JsonObject,
): readonly unknown[] {
  return finishRows(request, pagesFound(request, { ...asked, habits }).map(rowOf), members);
}

/** For vendors that do not document how many rows a request may ask for. */
const ROWS_MAX = 1_000;

function rowCount({ faults }: VendorRequest, asked: number): number {
  if (faults.rows === 'empty') return 0;
  if (faults.rows !== undefined) return faults.rows;
  const count = Math.min(asked, ROWS_MAX);
  return faults.oddRows === true ? Math.max(count, ODD_ROWS) : count;
}

/** The vendor's final rows, with the faults for rows applied. Undefined members are left out. */
export function finishRows(
  request: VendorRequest,
  rows: readonly JsonObject[],
  members: RowMembers,
): readonly unknown[] {
  const { faults, key } = request;
  const [first, ...others] = rows.map(present);
  if (!first) return [];
  const echoes = faults.echoKey === true && key !== undefined;
  const echo = { [members.title]: `${first[members.title]} ${key}`, debug: { key } };
  const echoed = [echoes ? { ...first, ...echo } : first, ...others];
  return faults.oddRows === true ? oddRows(echoed, members) : echoed;
}

/** A vendor's answer about one page, with the faults for rows applied. */
export function finishPage(request: VendorRequest, page: JsonObject, members: RowMembers): unknown {
  return finishRows(request, [page], members)[0];
}

function present(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
