import { DAY_MS, isoTime } from '@trawl/base';
import { type InvitedRole, mayInvite } from '@trawl/contract';
import { RequestError, readStore } from '@trawl/router';
import type { InvitationRecord } from '@trawl/store';
import { type Person, roleIn } from '../serving/person.ts';
import type { AccountParts } from './account-parts.ts';
import type { PersonEvent, RecordEvent } from './audit-trail.ts';
import { checkedEmail } from './input-checks.ts';
import type { RequestFacts } from './request-facts.ts';
import { newToken, tokenDigest } from './secrets.ts';

export interface Invite {
  /** null = to become an operator. */
  readonly projectId: string | null;
  readonly email: string;
  readonly role: InvitedRole;
}

/** An invitation with its link, which is known here only: the store keeps a digest of its token. */
export interface InvitationLink {
  readonly id: string;
  readonly link: string;
  readonly expiresAt: string;
}

/** Invitations as those see them who make them. */
export interface InvitationLinks {
  /** @throws RequestError 400 when the person is there or was invited already, 403, 422 */
  invite(by: Person, wanted: Invite, facts: RequestFacts): Promise<InvitationLink>;
  /** Neither accepted nor revoked, newest first; with null those of operators. */
  list(projectId: string | null): Promise<readonly InvitationRecord[]>;
  /** A new link for seven days; the one before it ends. @throws RequestError 403, 404 */
  renew(by: Person, of: InvitationPlace, facts: RequestFacts): Promise<InvitationLink>;
  /** @throws RequestError 403, 404 */
  revoke(by: Person, of: InvitationPlace, facts: RequestFacts): Promise<void>;
}

export interface InvitationPlace {
  /** null = among the invitations of operators. */
  readonly projectId: string | null;
  readonly invitationId: string;
}

const VALID_DAYS = 7;

export function createInvitationLinks(parts: AccountParts): InvitationLinks {
  const { store, trail, clock } = parts;
  const inDays = () => isoTime(clock.now() + VALID_DAYS * DAY_MS);
  return {
    invite: (by, wanted, facts) => invite(parts, by, wanted, { facts, expiresAt: inDays() }),
    list: (projectId) => readStore(() => store.invitations.list(projectId)),
    renew: async (by, of, facts) => {
      const invitation = await openInvitation(parts, of);
      const event = eventOn('invitation.resent', by, invitation);
      await checkMayInvite(parts, by, invitation, { event, facts });
      const token = newToken();
      const expiresAt = inDays();
      const { id } = invitation;
      const link = { tokenDigest: tokenDigest(token), expiresAt, createdBy: by.id };
      await trail.change(facts, async ({ accounts }, record) => {
        if (!(await accounts.invitations.renew(id, link))) throw notFound();
        await record(event);
      });
      return { id, link: linkOf(token, facts), expiresAt };
    },
    revoke: async (by, of, facts) => {
      const invitation = await openInvitation(parts, of);
      const event = eventOn('invitation.revoked', by, invitation);
      await checkMayInvite(parts, by, invitation, { event, facts });
      const now = isoTime(clock.now());
      await trail.change(facts, async ({ accounts }, record) => {
        if (!(await accounts.invitations.revoke(invitation.id, now))) throw notFound();
        await record(event);
      });
    },
  };
}

/** The token is behind `#`, so that browsers do not send it and no server logs it. */
const linkOf = (token: string, { baseUrl }: RequestFacts): string =>
  `${baseUrl}/console/invitation#${token}`;

const notFound = (): RequestError => new RequestError(404, 'Invitation not found');

export const eventOn = (
  action: PersonEvent['action'],
  by: PersonEvent['by'],
  invitation: Invite & { readonly id: string },
): PersonEvent => ({
  action,
  by,
  projectId: invitation.projectId,
  target: { kind: 'invitation', id: invitation.id, name: invitation.email },
  detail: { role: invitation.role },
});

async function invite(
  parts: AccountParts,
  by: Person,
  wanted: Invite,
  { facts, expiresAt }: { readonly facts: RequestFacts; readonly expiresAt: string },
): Promise<InvitationLink> {
  const { clock, trail } = parts;
  const createdAt = isoTime(clock.now());
  const id = clock.newId();
  const invitation = { ...wanted, id, email: checkedEmail(wanted.email) };
  const event = eventOn('invitation.created', by, invitation);
  await checkMayInvite(parts, by, invitation, { event, facts });
  await checkIsNew(parts, invitation);
  const token = newToken();
  const stored = { ...invitation, createdBy: by.id, createdAt, expiresAt };
  const isMade = await trail.change(facts, async ({ accounts }, record) => {
    if (!(await accounts.invitations.create(stored, tokenDigest(token)))) return false;
    await record(event);
    return true;
  });
  if (!isMade) await refuse(parts, MADE_TOO_LATE, { event, facts });
  return { id, link: linkOf(token, facts), expiresAt };
}

const MADE_TOO_LATE = 'Your role was changed meanwhile';

/**
 * Operators invite to any project and make operators; owners make owners. The route has checked the
 * role of an admin.
 */
async function checkMayInvite(
  parts: AccountParts,
  by: Person,
  wanted: Invite,
  about: { readonly event: PersonEvent; readonly facts: RequestFacts },
): Promise<void> {
  const refused = whyNot(by, wanted);
  if (refused !== undefined) await refuse(parts, refused, about);
}

async function refuse(
  { trail }: AccountParts,
  refused: string,
  { event, facts }: { readonly event: PersonEvent; readonly facts: RequestFacts },
): Promise<never> {
  await trail.record({ ...event, refused }, facts);
  throw new RequestError(403, refused);
}

function whyNot(by: Person, { projectId, role }: Invite): string | undefined {
  const own = projectId === null ? null : roleIn(by, projectId);
  if (mayInvite({ isOperator: by.isOperator, role: own }, { projectId, role })) return undefined;
  if (projectId === null || role === 'operator') {
    return 'Only an operator of the deployment may invite an operator';
  }
  return role === 'owner'
    ? 'Only an owner of the project may invite an owner'
    : 'Only an admin or owner of the project may invite people';
}

async function checkIsNew({ store }: AccountParts, wanted: Invite): Promise<void> {
  const { projectId, email } = wanted;
  const open = await readStore(() => store.invitations.list(projectId));
  if (open.some((invitation) => invitation.email === email)) {
    throw new RequestError(400, `${email} was invited already: renew that invitation instead`);
  }
  const people = await readStore(() =>
    projectId === null ? store.people.list() : store.members.list(projectId),
  );
  const isThere = people.some((person) => person.email === email && isIn(person, projectId));
  if (isThere) throw new RequestError(400, `${email} is a member already: change the role instead`);
}

const isIn = (person: { readonly isOperator: boolean }, projectId: string | null): boolean =>
  projectId !== null || person.isOperator;

async function openInvitation(
  { store }: AccountParts,
  { projectId, invitationId }: InvitationPlace,
): Promise<InvitationRecord> {
  const found = await readStore(() => store.invitations.find(invitationId));
  const isOpen = found && found.acceptedAt === null && found.revokedAt === null;
  if (!isOpen || found.projectId !== projectId) throw notFound();
  return found;
}

/** Invitations that ended because of an event, in the audit log of their projects. */
export async function recordEnded(
  record: RecordEvent,
  { action, by }: Pick<PersonEvent, 'action' | 'by'>,
  ended: readonly InvitationRecord[],
): Promise<void> {
  for (const invitation of ended) {
    const event = eventOn('invitation.revoked', by, invitation);
    await record({ ...event, detail: { ...event.detail, because: action } });
  }
}
