import type { JsonObject } from './json.ts';
import { ODD_ROWS, oddRows, type RowMembers } from './odd-rows.ts';
import type { VendorRequest } from './vendor.ts';
import { type Target, targetOf } from './web/target.ts';

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

/** What the URLs of a fetch lead to; with the `empty` fault the vendor says nothing about any of them. */
export function targetsOf(request: VendorRequest, urls: readonly string[]): readonly Target[] {
  return request.faults.rows === 'empty' ? [] : urls.map(targetOf);
}

/** What the one URL of a fetch leads to; with the `empty` fault a page without text. */
export function onlyTargetOf(request: VendorRequest, url: string): Target {
  const target = targetOf(url);
  return request.faults.rows === 'empty' && target.kind === 'answered'
    ? { ...target, page: { ...target.page, blocks: [] } }
    : target;
}

/** A vendor's answer about one page, after the faults that concern rows. */
export function finishPage(request: VendorRequest, page: JsonObject, members: RowMembers): unknown {
  return finishRows(request, [page], members)[0];
}
