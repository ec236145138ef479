import type { InvitationRecord } from '@trawl/store';
import type { AccountParts } from './account-parts.ts';
import type { PersonEvent } from './audit-trail.ts';
import { eventOn } from './invitation-links.ts';
import type { RequestFacts } from './request-facts.ts';

/** Invitations that ended because of an event, in the audit log of their projects. */
export async function recordEnded(
  { trail }: Pick<AccountParts, 'trail'>,
  { action, by }: Pick<PersonEvent, 'action' | 'by'>,
  ended: readonly InvitationRecord[],
  facts: RequestFacts,
): Promise<void> {
  for (const invitation of ended) {
    const event = eventOn('invitation.revoked', by, invitation);
    await trail.record({ ...event, detail: { ...event.detail, because: action } }, facts);
  }
}
