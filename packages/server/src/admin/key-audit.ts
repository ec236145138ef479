import type { Clock } from '@trawl/base';
import { type ApiKey, changeStore } from '@trawl/router';
import type { AccountStore } from '@trawl/store';
import { type AuditEvent, auditEntry } from './audit-entry.ts';

/** Which key did it, and with which request. */
export interface KeyUse {
  readonly caller: ApiKey;
  /** Method and path, with `{name}` for what varies. */
  readonly route: string;
  readonly requestId: string;
  /** The client's address; null = not known. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Writes what a key did, or was refused, to the audit log. */
export type AuditKeyUse = (event: AuditEvent, use: KeyUse) => Promise<void>;

/** Writes what keys do at the operator API to the audit log, which the console shows. */
export const createKeyAudit =
  (audit: AccountStore['audit'], clock: Clock): AuditKeyUse =>
  (event, { caller, route, ...request }) => {
    const { id, name, lastFour } = caller;
    const detail = { ...event.detail, route, key_ends_with: lastFour };
    const actor = { kind: 'key', id, name, email: null } as const;
    const entry = auditEntry({ ...event, detail }, { actor, request }, clock);
    return changeStore(() => audit.write(entry));
  };
