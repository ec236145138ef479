import type { OpenDatabase, Tables } from '@trawl/database';
import type { Kysely } from 'kysely';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { createInvitations, type Invitations } from './invitations.ts';
import { createMembers, type Members } from './members.ts';
import { createPasswordLinks, type PasswordLinks } from './password-links.ts';
import { createPeople, type People } from './people.ts';
import { createPersonSessions, type PersonSessions } from './person-sessions.ts';
import { createSetupCode, type SetupCode } from './setup-code.ts';

/** The accounts of the console. */
export interface AccountStore {
  /** For the library that signs people in. */
  readonly database: { readonly db: Kysely<Tables>; readonly type: 'sqlite' | 'postgres' };
  readonly people: People;
  readonly sessions: PersonSessions;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly audit: AuditLog;
  readonly setupCode: SetupCode;
  readonly passwordLinks: PasswordLinks;
}

export function createAccountStore(database: OpenDatabase): AccountStore {
  const { db, isEmbedded } = database;
  return {
    database: { db, type: isEmbedded ? 'sqlite' : 'postgres' },
    people: createPeople(database),
    sessions: createPersonSessions(database),
    members: createMembers(database),
    invitations: createInvitations(database),
    audit: createAuditLog(db),
    setupCode: createSetupCode(db),
    passwordLinks: createPasswordLinks(database),
  };
}
