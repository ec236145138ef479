import type { Clock } from '@trawl/base';
import { type ApiKey, changeStore } from '@trawl/router';
import type { AccountStore, AuditEntry } from '@trawl/store';
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

/** What keys do at the operator API, and were refused, for the audit log that the console shows. */
export interface KeyAudit {
  entry(event: AuditEvent, use: KeyUse): AuditEntry;
  /** @throws RequestError 503 */
  write(event: AuditEvent, use: KeyUse): Promise<void>;
}

export function createKeyAudit(audit: AccountStore['audit'], clock: Clock): KeyAudit {
  const entry: KeyAudit['entry'] = (event, { caller, route, ...request }) => {
    const { id, name, lastFour } = caller;
    const detail = { ...event.detail, route, key_ends_with: lastFour };
    const actor = { kind: 'key', id, name, email: null } as const;
    return auditEntry({ ...event, detail }, { actor, request }, clock);
  };
  return { entry, write: (event, use) => changeStore(() => audit.write(entry(event, use))) };
}
