import type { AuditAction, JsonObject } from '@trawl/contract';
import { changeStore, RequestError } from '@trawl/router';
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

/** One change and its entry. A RequestError undoes the steps before it. */
export interface Step {
  readonly action: AuditAction;
  readonly detail?: JsonObject;
  readonly apply: (stores: Changeable) => Promise<void>;
}

type Changing = Pick<Store, 'changing' | 'accounts'>;

/**
 * Makes changes and writes their audit entries, in one transaction: all are stored or none. The
 * refusal of a step is in the audit log too.
 * @throws RequestError that of a step, or 503 when the store cannot be written
 */
export async function changed(
  store: Changing,
  subject: Subject,
  steps: readonly Step[],
): Promise<void> {
  const { by, ...about } = subject;
  let action: AuditAction | undefined;
  try {
    await changeStore(() =>
      store.changing(async (stores) => {
        for (const { detail, apply, ...step } of steps) {
          action = step.action;
          await apply(stores);
          const event = { ...about, action, ...(detail && { detail }) };
          await stores.accounts.audit.write(by.entry(event));
        }
      }),
    );
  } catch (error) {
    const isRefusal = error instanceof RequestError && error.status < 500;
    if (!isRefusal || action === undefined) throw error;
    return refused(store, subject, action, error);
  }
}

/** Writes a refusal to the audit log. @throws RequestError the refusal, or 503 */
export async function refused(
  store: Changing,
  { by, ...about }: Subject,
  action: AuditAction,
  error: RequestError,
): Promise<never> {
  const entry = by.entry({ ...about, action, refused: error.message });
  await changeStore(() => store.accounts.audit.write(entry));
  throw error;
}
