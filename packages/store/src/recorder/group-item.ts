import type { RecordRows, Value } from './rows.ts';

/** An item that can share a transaction: an interaction, or ledger rows alone. */
export interface GroupItem {
  readonly record: RecordRows | undefined;
  /** Those of the record, or rows alone. */
  readonly ledger: readonly (readonly Value[])[];
  /** Leases of the costs in `ledger`, which its transaction ends. */
  readonly budgetLeaseIds: readonly string[];
}

/**
 * Writes all items in one transaction and returns those that were stored; an item whose session
 * belongs to another project is not stored. No two of them may claim a session for different
 * projects. Throws when the database refuses any item: then nothing
 * is stored, except after an UncertainCommitError.
 */
export type GroupWriter = (items: readonly GroupItem[]) => Promise<ReadonlySet<GroupItem>>;

/** It is not known whether the group is stored, as when the connection breaks during the commit. */
export class UncertainCommitError extends Error {}

export function uncertainCommit(cause: unknown): UncertainCommitError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new UncertainCommitError(message, { cause });
}

export const recordItem = (record: RecordRows): GroupItem => ({
  record,
  ledger: record.ledger,
  budgetLeaseIds: record.budgetLeaseId === null ? [] : [record.budgetLeaseId],
});

export const ledgerItem = (
  ledger: readonly (readonly Value[])[],
  budgetLeaseIds: readonly string[] = [],
): GroupItem => ({ record: undefined, ledger, budgetLeaseIds });
