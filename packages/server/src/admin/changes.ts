import type { AuditEvent } from './audit-entry.ts';

/** Who changes projects and keys, for the changes that the console and the operator API share. */
export interface Changer {
  /** The person; null = not a person. */
  readonly personId: string | null;
  /** Whether it may disable and delete keys of the operator API. */
  readonly mayEndAdminKeys: boolean;
  /** Writes what was done or refused to the audit log. */
  readonly audit: (event: AuditEvent) => Promise<void>;
}
