import type { Clock } from '@trawl/base';
import { changeStore } from '@trawl/router';
import type { AccountStore } from '@trawl/store';
import type { AuditKeyUse } from '../http/key-use.ts';
import { auditEntry } from './audit-entry.ts';

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
