import type { Clock } from '@trawl/base';
import { changeStore, readStore } from '@trawl/router';
import { type AuditEvent, auditEntry } from '@trawl/server';
import type { AccountStore, AuditEntry, AuditPage, AuditQuery } from '@trawl/store';
import type { Person } from '../serving/person.ts';
import type { RequestFacts } from './request-facts.ts';

export interface PersonEvent extends AuditEvent {
  /** null = a caller that is not signed in. */
  readonly by: Pick<Person, 'id' | 'name' | 'email'> | null;
}

/** The entry of a command on the server's machine, which has no person and no request. */
export const commandLineEntry = (event: AuditEvent, clock: Clock): AuditEntry =>
  auditEntry(event, { actor: { kind: 'command_line', id: null, name: null, email: null } }, clock);

export interface AuditTrail {
  /** @throws RequestError 503 when it cannot be written */
  record(event: PersonEvent, facts: RequestFacts): Promise<void>;
  /** @throws RequestError 503 when it cannot be read */
  page(query: AuditQuery): Promise<AuditPage>;
}

export function createAuditTrail(audit: AccountStore['audit'], clock: Clock): AuditTrail {
  return {
    record: (event, facts) => changeStore(() => audit.write(entryOf(event, facts, clock))),
    page: (query) => readStore(() => audit.page(query)),
  };
}

function entryOf({ by, ...event }: PersonEvent, facts: RequestFacts, clock: Clock): AuditEntry {
  const actor = {
    kind: by ? 'person' : 'anonymous',
    id: by?.id ?? null,
    name: by?.name ?? null,
    email: by?.email ?? null,
  } as const;
  return auditEntry(event, { actor, request: facts }, clock);
}
