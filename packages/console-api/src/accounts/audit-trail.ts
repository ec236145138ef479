import { type Clock, isoTime } from '@trawl/base';
import type { AuditAction, JsonObject } from '@trawl/contract';
import { changeStore, readStore } from '@trawl/router';
import type { AccountStore, AuditEntry, AuditPage, AuditQuery } from '@trawl/store';
import type { Person } from '../serving/person.ts';
import type { RequestFacts } from './request-facts.ts';

export interface AuditEvent {
  readonly action: AuditAction;
  /** null = a caller that is not signed in. */
  readonly by: Pick<Person, 'id' | 'name' | 'email'> | null;
  /** Absent = about the whole deployment. */
  readonly projectId?: string | null;
  readonly target?: {
    readonly kind: string;
    readonly id?: string | null;
    readonly name?: string | null;
  };
  /** Why it was refused; absent = it succeeded. */
  readonly refused?: string;
  /** What changed. Never a secret. */
  readonly detail?: JsonObject;
}

/**
 * The entry of a command on the server's machine, which has no person and no request.
 * @param target null = the deployment
 */
export const commandLineEntry = (
  event: Pick<AuditEvent, 'action' | 'detail'> & { readonly target: AuditEntry['target'] },
  clock: Clock,
): AuditEntry => ({
  id: clock.newId(),
  createdAt: isoTime(clock.now()),
  projectId: null,
  actor: { kind: 'command_line', id: null, name: null, email: null },
  action: event.action,
  target: event.target,
  outcome: 'succeeded',
  reason: null,
  detail: event.detail ?? null,
  ip: null,
  userAgent: null,
  requestId: null,
});

export interface AuditTrail {
  /** @throws RequestError 503 when it cannot be written */
  record(event: AuditEvent, facts: RequestFacts): Promise<void>;
  /** @throws RequestError 503 when it cannot be read */
  page(query: AuditQuery): Promise<AuditPage>;
}

export function createAuditTrail(audit: AccountStore['audit'], clock: Clock): AuditTrail {
  return {
    record: (event, facts) => changeStore(() => audit.write(entryOf(event, facts, clock))),
    page: (query) => readStore(() => audit.page(query)),
  };
}

function entryOf(event: AuditEvent, facts: RequestFacts, clock: Clock): AuditEntry {
  const { action, by, projectId = null, target, refused, detail } = event;
  return {
    id: clock.newId(),
    createdAt: isoTime(clock.now()),
    projectId,
    actor: {
      kind: by ? 'person' : 'anonymous',
      id: by?.id ?? null,
      name: by?.name ?? null,
      email: by?.email ?? null,
    },
    action,
    target: target ? { kind: target.kind, id: target.id ?? null, name: target.name ?? null } : null,
    outcome: refused === undefined ? 'succeeded' : 'refused',
    reason: refused ?? null,
    detail: detail ?? null,
    ip: facts.address,
    userAgent: facts.userAgent,
    requestId: facts.requestId,
  };
}
