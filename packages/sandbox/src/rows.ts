import type { JsonObject } from './json.ts';
import { ODD_ROWS, oddRows, type RowMembers } from './odd-rows.ts';
import type { VendorRequest } from './vendor.ts';

/** How many rows to answer with when `asked` were asked for. */
export function rowCount(request: VendorRequest, asked: number): number {
  const { rows, oddRows: odd } = request.faults;
  if (rows === 'empty') return 0;
  if (rows !== undefined) return rows;
  return odd === true ? Math.max(asked, ODD_ROWS) : asked;
}

/** The vendor's finished rows, after the faults that concern rows. */
export function finishRows(
  request: VendorRequest,
  rows: readonly JsonObject[],
  members: RowMembers,
): readonly unknown[] {
  const { faults, key } = request;
  const [first, ...others] = rows;
  const echoed =
    faults.echoKey === true && key !== undefined && first
      ? [{ ...first, [members.title]: `${first[members.title]} ${key}`, debug: { key } }, ...others]
      : rows;
  return faults.oddRows === true ? oddRows(echoed, members) : echoed;
}
