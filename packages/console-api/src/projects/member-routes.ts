import type { Clock } from '@trawl/base';
import { isoTime, jsonText } from '@trawl/base';
import { isRole, type Role } from '@trawl/contract';
import type { Member } from '@trawl/contract/console';
import { RequestError } from '@trawl/router';
import type { InvitationRecord, MemberRecord } from '@trawl/store';
import type { Accounts } from '../accounts/accounts.ts';
import { factsOf } from '../accounts/request-facts.ts';
import { type ConsoleContext, type ConsoleHandlers, personOf } from '../serving/handler.ts';

export interface MemberRouteOptions {
  readonly accounts: Pick<Accounts, 'members' | 'invitations' | 'passwordLinks'>;
  readonly publicUrl: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

type MemberHandlers = Pick<
  ConsoleHandlers,
  | 'listMembers'
  | 'invite'
  | 'renewInvitation'
  | 'revokeInvitation'
  | 'changeMember'
  | 'removeMember'
  | 'makePasswordLink'
>;

/** Who may do what in a project. */
export function memberRoutes({
  accounts: { members, invitations, passwordLinks },
  publicUrl,
  clock,
}: MemberRouteOptions): MemberHandlers {
  const facts = ({ branch }: ConsoleContext) => factsOf(branch, publicUrl);
  return {
    listMembers: async ({ params: { project_id: projectId } }) => {
      const [people, open] = await Promise.all([
        members.list(projectId),
        invitations.list(projectId),
      ]);
      const now = isoTime(clock.now());
      return {
        text: jsonText({
          members: people.map(member),
          invitations: open.flatMap((one) =>
            isRole(one.role) ? [invitation(one, one.role, now)] : [],
          ),
        }),
      };
    },
    invite: async ({ params, body }, context) => {
      const wanted = { projectId: params.project_id, ...body };
      const made = await invitations.invite(personOf(context), wanted, facts(context));
      return { text: jsonText(linkOf(made)) };
    },
    renewInvitation: async ({ params }, context) => {
      const made = await invitations.renew(personOf(context), placeOf(params), facts(context));
      return { text: jsonText(linkOf(made)) };
    },
    revokeInvitation: async ({ params }, context) => {
      await invitations.revoke(personOf(context), placeOf(params), facts(context));
      return { empty: true };
    },
    changeMember: async ({ params, body: { role } }, context) => {
      const change = { projectId: params.project_id, personId: params.user_id, role };
      await members.changeRole(personOf(context), change, facts(context));
      return { empty: true };
    },
    removeMember: async ({ params }, context) => {
      const from = { projectId: params.project_id, personId: params.user_id };
      await members.remove(personOf(context), from, facts(context));
      return { empty: true };
    },
    makePasswordLink: async ({ params: { project_id: projectId, user_id: userId } }, context) => {
      const people = await members.list(projectId);
      if (!people.some(({ id }) => id === userId)) throw new RequestError(404, 'Member not found');
      const made = await passwordLinks.make(personOf(context), userId, facts(context));
      return { text: jsonText({ link: made.link, expires_at: made.expiresAt }) };
    },
  };
}

interface InvitationParams {
  readonly project_id: string;
  readonly invitation_id: string;
}

const placeOf = ({ project_id: projectId, invitation_id: invitationId }: InvitationParams) => ({
  projectId,
  invitationId,
});

const linkOf = (made: {
  readonly id: string;
  readonly link: string;
  readonly expiresAt: string;
}) => ({
  id: made.id,
  link: made.link,
  expires_at: made.expiresAt,
});

const member = (record: MemberRecord): Member => ({
  id: record.id,
  name: record.name,
  email: record.email,
  role: record.role,
  is_operator: record.isOperator,
  signs_in_with: wayOf(record.signsInBy),
  joined_at: record.memberSince ?? record.createdAt,
  last_seen_at: record.lastSeenAt,
});

function wayOf(ways: MemberRecord['signsInBy']): Member['signs_in_with'] {
  const [first] = ways;
  return ways.length > 1 ? 'both' : (first ?? 'none');
}

const invitation = (record: InvitationRecord, role: Role, now: string) => ({
  id: record.id,
  email: record.email,
  role,
  invited_by: record.createdByName,
  created_at: record.createdAt,
  expires_at: record.expiresAt,
  is_expired: record.expiresAt <= now,
});
