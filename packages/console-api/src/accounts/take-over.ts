import { isoTime } from '@trawl/base';
import { readStore } from '@trawl/router';
import { endEvent } from '@trawl/server';
import type { AccountParts } from './account-parts.ts';
import { recordEnded } from './invitation-links.ts';
import type { RequestFacts } from './request-facts.ts';

/**
 * Gives an account to the person whose identity an identity provider has verified. Anyone with an
 * invitation's link can make an account for its address, so what the account had is not that
 * person's: password, sessions, open invitations, password links and logins for `/mcp` end. Roles
 * stay, since they were given to the address.
 */
export async function takeOver(
  parts: AccountParts,
  personId: string,
  facts: RequestFacts,
): Promise<void> {
  const { store, trail, clock } = parts;
  const by = await readStore(() => store.people.find(personId));
  // an account that this sign-in makes has no way to sign in yet
  if (!by || by.signsInBy.length === 0) return;
  const at = isoTime(clock.now());
  await trail.change(facts, async ({ accounts, logins }, record) => {
    const { hadPassword, sessions, endedInvitations, keys } = await accounts.people.handOver(
      personId,
      at,
    );
    const event = {
      action: 'person.linked',
      by,
      target: { kind: 'person', id: by.id, name: by.name },
      detail: {
        way: 'single_sign_on',
        password_removed: hadPassword,
        sessions_ended: sessions,
        keys_made: [...keys],
      },
    } as const;
    await record(event);
    await recordEnded(record, event, endedInvitations);
    for (const login of await logins.endOf({ personId }, 'all', at)) {
      await record({ ...endEvent(login, event.action), by });
    }
  });
}
