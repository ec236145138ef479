import { isoTime } from '@trawl/base';
import type { Role } from '@trawl/contract';
import { RequestError, readStore } from '@trawl/router';
import { endEvent } from '@trawl/server';
import type { AccountStore, MemberRecord, PersonRecord, RoleChange } from '@trawl/store';
import { type Person, roleIn } from '../serving/person.ts';
import type { AccountParts } from './account-parts.ts';
import type { PersonEvent } from './audit-trail.ts';
import { recordEnded } from './invitation-links.ts';
import type { RequestFacts } from './request-facts.ts';

/**
 * People of projects, and operators. Refusals are RequestErrors and are in the audit log. Open
 * invitations that a person may not make any more end with the change.
 */
export interface MemberChanges {
  /** Members and operators, by name. */
  list(projectId: string): Promise<readonly MemberRecord[]>;
  /** @throws RequestError 403 for an owner's role without being one, or for the last owner; 404 */
  changeRole(
    by: Person,
    change: { readonly projectId: string; readonly personId: string; readonly role: Role },
    facts: RequestFacts,
  ): Promise<void>;
  /** @throws RequestError 403 as for `changeRole`; 404 */
  remove(
    by: Person,
    from: { readonly projectId: string; readonly personId: string },
    facts: RequestFacts,
  ): Promise<void>;
  /** All people of the deployment, by name. */
  people(): Promise<readonly PersonRecord[]>;
  /** By an operator. @throws RequestError 403 for the last one, 404 */
  setOperator(
    by: Person,
    change: { readonly personId: string; readonly isOperator: boolean },
    facts: RequestFacts,
  ): Promise<void>;
  /**
   * Deletes an account and ends its sessions; by an operator. @throws RequestError 403 for the last
   * one, 404
   */
  deletePerson(by: Person, personId: string, facts: RequestFacts): Promise<void>;
}

const OWNERS_ONLY = 'Only an owner of the project may make, change or remove an owner';
const OPERATORS_ONLY = 'This needs an operator of the deployment';
const REFUSALS = {
  last_owner: 'A project keeps at least one owner: make another person an owner first',
  last_operator: 'A deployment keeps at least one operator: make another person an operator first',
} as const;

export function createMemberChanges(parts: AccountParts): MemberChanges {
  const { store } = parts;
  return {
    list: (projectId) => readStore(() => store.members.list(projectId)),
    changeRole: async (by, { projectId, personId, role }, facts) => {
      const member = await memberOf(parts, projectId, personId);
      const event: PersonEvent = {
        ...eventOn('member.role_changed', by, member),
        projectId,
        detail: { from: member.role, to: role },
      };
      const isOwners = member.role === 'owner' || role === 'owner';
      if (isOwners && roleIn(by, projectId) !== 'owner') {
        await refuse(parts, event, OWNERS_ONLY, facts);
      }
      await change(parts, event, facts, ({ members }, at) =>
        members.setRole(projectId, personId, role, at),
      );
    },
    remove: async (by, { projectId, personId }, facts) => {
      const member = await memberOf(parts, projectId, personId);
      const event = { ...eventOn('member.removed', by, member), projectId };
      const isSelf = by.id === personId;
      if (!isSelf && member.role === 'owner' && roleIn(by, projectId) !== 'owner') {
        await refuse(parts, event, OWNERS_ONLY, facts);
      }
      await change(parts, event, facts, ({ members }, at) =>
        members.remove(projectId, personId, at),
      );
    },
    people: () => readStore(() => store.people.list()),
    setOperator: async (by, { personId, isOperator }, facts) => {
      const person = await personWith(parts, personId);
      const event = eventOn(isOperator ? 'operator.added' : 'operator.removed', by, person);
      if (!by.isOperator) await refuse(parts, event, OPERATORS_ONLY, facts);
      await change(parts, event, facts, ({ people }, at) =>
        people.setOperator(personId, isOperator, at),
      );
    },
    deletePerson: async (by, personId, facts) => {
      const person = await personWith(parts, personId);
      const event = eventOn('person.deleted', by, person);
      if (!by.isOperator) await refuse(parts, event, OPERATORS_ONLY, facts);
      await change(parts, event, facts, ({ people }, at) => people.remove(personId, at));
    },
  };
}

export const eventOn = (
  action: PersonEvent['action'],
  by: PersonEvent['by'],
  { id, name, email }: PersonRecord,
): PersonEvent => ({ action, by, target: { kind: 'person', id, name }, detail: { email } });

async function memberOf(
  { store }: AccountParts,
  projectId: string,
  personId: string,
): Promise<MemberRecord> {
  const members = await readStore(() => store.members.list(projectId));
  const member = members.find(({ id }) => id === personId);
  if (!member) throw new RequestError(404, 'Member not found');
  if (member.memberSince !== null) return member;
  throw new RequestError(400, 'This person is an operator, not a member of the project');
}

/** @throws RequestError 404 */
export async function personWith({ store }: AccountParts, personId: string): Promise<PersonRecord> {
  const person = await readStore(() => store.people.find(personId));
  if (!person) throw new RequestError(404, 'Person not found');
  return person;
}

async function change(
  parts: AccountParts,
  event: PersonEvent,
  facts: RequestFacts,
  run: (accounts: AccountStore, at: string) => Promise<RoleChange>,
): Promise<void> {
  const at = isoTime(parts.clock.now());
  const outcome = await parts.trail.change(facts, async ({ accounts, logins }, record) => {
    const { endedInvitations, ...changed } = await run(accounts, at);
    if (changed.outcome !== 'changed') return changed.outcome;
    await record(event);
    await recordEnded(record, event, endedInvitations);
    const personId = event.target?.id ?? '';
    for (const login of await logins.endOf({ personId }, 'not_allowed', at)) {
      await record({ ...endEvent(login, event.action), by: event.by });
    }
    return changed.outcome;
  });
  if (outcome === 'unknown') throw new RequestError(404, 'Member not found');
  if (outcome !== 'changed') await refuse(parts, event, REFUSALS[outcome], facts);
}

/** Leaves the refusal in the audit log. @throws RequestError 403 */
export async function refuse(
  { trail }: AccountParts,
  event: PersonEvent,
  refused: string,
  facts: RequestFacts,
): Promise<never> {
  await trail.record({ ...event, refused }, facts);
  throw new RequestError(403, refused);
}
