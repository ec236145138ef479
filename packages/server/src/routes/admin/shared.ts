import { LIMITS } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import type { Changer } from '../../admin/changes.ts';
import type { RequestContext } from '../../http/handler.ts';

/** A key of the operator API changes no other such key. */
export const changerOf = ({ auditEntry }: RequestContext): Changer => ({
  personId: null,
  adminKeys: 'none',
  entry: auditEntry,
});

/** @throws RequestError 400: a promise that the route cannot keep is not taken silently */
export function refuseRepeatKey({ idempotencyKey }: RequestContext): void {
  if (idempotencyKey === undefined) return;
  throw new RequestError(
    400,
    'This route takes no Idempotency-Key, since secrets are not stored and could not be answered again',
    { hint: 'leave the header out, and look for the name in the list before you repeat' },
  );
}

interface Page {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** A page of rows by id, which stays right when rows are added or deleted meanwhile. */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { limit = LIMITS.adminPageDefault, after }: Page,
): { readonly rows: Row[]; readonly next: { readonly next_after?: string } } {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const rest = after === undefined ? sorted : sorted.filter(({ id }) => id > after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: last && rest.length > limit ? { next_after: last.id } : {} };
}
