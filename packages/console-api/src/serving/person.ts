import type { Role } from '@trawl/contract';

/** A signed-in person. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** An operator is owner of every project. */
  readonly isOperator: boolean;
  readonly sessionId: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Roles by the id of the project. */
  readonly roles: ReadonlyMap<string, Role>;
}

/** The person of a request's session cookie; null without a session in force. */
export type SessionReader = (headers: Headers) => Promise<Person | null>;

/** null where the person has nothing to do with the project. */
export function roleIn(person: Person, projectId: string): Role | null {
  return person.isOperator ? 'owner' : (person.roles.get(projectId) ?? null);
}
