import type { AuditAction, JsonObject } from '@trawl/contract';
import { changeStore } from '@trawl/router';
import type { AuditEntry, Changeable, Store } from '@trawl/store';
import type { AuditEvent } from './audit-entry.ts';

/** Who changes projects and keys: a person, a key of the operator API, or the command line. */
export interface Changer {
  /** The person; null = not a person. */
  readonly personId: string | null;
  /** What it may do with keys of the operator API: nothing, disable and delete them, or all. */
  readonly adminKeys: 'none' | 'end' | 'all';
  /** The audit entry of what it did, or was refused. */
  readonly entry: (event: AuditEvent) => AuditEntry;
}

/** What is changed, and by whom. */
export interface Subject extends Pick<AuditEvent, 'projectId' | 'target'> {
  readonly by: Changer;
}

type Changing = Pick<Store, 'changing' | 'accounts'>;
type Record = (action: AuditAction, detail?: JsonObject) => Promise<void>;

/**
 * Runs a change and records what it did, in one transaction: both are stored or neither.
 * @throws RequestError 503 when the store cannot be written
 */
export const changed = <Value>(
  store: Changing,
  { by, ...about }: Subject,
  run: (stores: Changeable, record: Record) => Promise<Value>,
): Promise<Value> =>
  changeStore(() =>
    store.changing((stores) =>
      run(stores, (action, detail) =>
        stores.accounts.audit.write(by.entry({ ...about, action, ...(detail && { detail }) })),
      ),
    ),
  );

/** Writes a refusal to the audit log. To be called outside of `changed`. */
export const recordRefusal = (
  store: Changing,
  { by, ...about }: Subject,
  refusal: Pick<AuditEvent, 'action'> & { readonly refused: string },
): Promise<void> =>
  changeStore(() => store.accounts.audit.write(by.entry({ ...about, ...refusal })));
