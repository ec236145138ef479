import type { InvitationRecord } from '@trawl/store';
import type { PersonEvent, RecordEvent } from './audit-trail.ts';
import { eventOn } from './invitation-links.ts';

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
