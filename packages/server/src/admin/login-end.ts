import type { Clock } from '@trawl/base';
import type { AuditAction } from '@trawl/contract';
import type { AuditEntry, EndedLogin, LoginEnd } from '@trawl/store';
import { type AuditSource, auditEntry } from './audit-entry.ts';

/** Why a login ended: on its own, at the client's or a person's wish, or because of an event. */
type EndCause = LoginEnd | AuditAction | 'client' | 'person' | 'newer_logins';

/** The audit event of a login's end. */
export const endEvent = (
  { id, name, projectId, client, personId }: EndedLogin,
  because: EndCause,
) =>
  ({
    action: 'login.ended',
    projectId,
    target: { kind: 'key', id, name },
    detail: { client_id: client, person_id: personId, because },
  }) as const;

/** The entry of an end that no person asked for: the login itself did what ended it. */
export const endEntry = (
  login: EndedLogin,
  because: EndCause,
  { clock, request }: { readonly clock: Clock; readonly request?: AuditSource['request'] },
): AuditEntry =>
  auditEntry(
    endEvent(login, because),
    {
      actor: { kind: 'key', id: login.id, name: login.name, email: null },
      ...(request && { request }),
    },
    clock,
  );
