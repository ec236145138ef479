import type { Clock } from '@trawl/base';
import { changeStore, readStore } from '@trawl/router';
import { type AuditEvent, auditEntry } from '@trawl/server';
import type { AuditEntry, AuditPage, AuditQuery, Changeable, Store } from '@trawl/store';
import type { Person } from '../serving/person.ts';
import type { RequestFacts } from './request-facts.ts';

export interface PersonEvent extends AuditEvent {
  /** null = a caller that is not signed in. */
  readonly by: Pick<Person, 'id' | 'name' | 'email'> | null;
}

/** Writes an entry in the transaction of a change. */
export type RecordEvent = (event: PersonEvent) => Promise<void>;

export interface AuditTrail {
  entry(event: PersonEvent, facts: RequestFacts): AuditEntry;
  /**
   * Runs a change and records what it did, in one transaction: both are stored or neither.
   * @throws RequestError 503 when the store cannot be written
   */
  change<Value>(
    facts: RequestFacts,
    run: (stores: Changeable, record: RecordEvent) => Promise<Value>,
  ): Promise<Value>;
  /** Records what changes nothing, as a refusal. @throws RequestError 503 */
  record(event: PersonEvent, facts: RequestFacts): Promise<void>;
  /** @throws RequestError 503 when it cannot be read */
  page(query: AuditQuery): Promise<AuditPage>;
}

export function createAuditTrail(
  store: Pick<Store, 'accounts' | 'changing'>,
  clock: Clock,
): AuditTrail {
  const { audit } = store.accounts;
  return {
    entry: (event, facts) => entryOf(event, facts, clock),
    change: (facts, run) =>
      changeStore(() =>
        store.changing((stores) =>
          run(stores, (event) => stores.accounts.audit.write(entryOf(event, facts, clock))),
        ),
      ),
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
