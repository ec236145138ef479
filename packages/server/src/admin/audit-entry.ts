import { userInfo } from 'node:os';
import { type Clock, isoTime } from '@trawl/base';
import type { AuditAction, JsonObject } from '@trawl/contract';
import { type ApiKey, changeStore } from '@trawl/router';
import type { AccountStore, AuditEntry } from '@trawl/store';

/** What was done or refused, as the audit log keeps it. */
export interface AuditEvent {
  readonly action: AuditAction;
  /** Absent = about the whole deployment. */
  readonly projectId?: string | null;
  readonly target?:
    | {
        readonly kind: string;
        readonly id?: string | null;
        readonly name?: string | null;
      }
    | undefined;
  /** Why it was refused; absent = it succeeded. */
  readonly refused?: string;
  /** What changed. Never a secret. */
  readonly detail?: JsonObject;
}

/** Who did it, and with which request. */
export interface AuditSource {
  readonly actor: AuditEntry['actor'];
  /** Absent = not by a request. */
  readonly request?: {
    readonly requestId: string | null;
    /** The client's address; null = not known. */
    readonly address: string | null;
    readonly userAgent: string | null;
  };
}

/** The entry of an event, as of now. */
export function auditEntry(
  { action, projectId = null, target, refused, detail }: AuditEvent,
  { actor, request }: AuditSource,
  clock: Clock,
): AuditEntry {
  return {
    id: clock.newId(),
    createdAt: isoTime(clock.now()),
    projectId,
    actor,
    action,
    target: target ? { kind: target.kind, id: target.id ?? null, name: target.name ?? null } : null,
    outcome: refused === undefined ? 'succeeded' : 'refused',
    reason: refused ?? null,
    detail: detail ?? null,
    ip: request?.address ?? null,
    userAgent: request?.userAgent ?? null,
    requestId: request?.requestId ?? null,
  };
}

/** The entry of a command on the server's machine, which has no request. */
export const commandLineEntry = (event: AuditEvent, clock: Clock): AuditEntry =>
  auditEntry(
    event,
    { actor: { kind: 'command_line', id: null, name: userName(), email: null } },
    clock,
  );

/** Who runs the command; null = the system does not know the user. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

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
