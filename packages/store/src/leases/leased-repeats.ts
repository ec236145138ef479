import { randomUUID } from 'node:crypto';
import { within } from '@trawl/base';
import type { Tables } from '@trawl/database';
import {
  REPEATED_FOR_MS,
  type RepeatClaim,
  type RepeatClaims,
  type RequestRepeat,
} from '@trawl/router';
import { type Kysely, sql } from 'kysely';
import type { LeaseKeeper } from './keeper.ts';

/** A refusal that waits longer for the database is answered; its lease ends later. */
const RELEASE_MAX_MS = 1_000;

/**
 * Repeatable requests that servers of one database share: one of them at a time executes a request,
 * and none once its answer is recorded. One statement looks for the answer and takes the lease.
 */
export function createLeasedRepeats(db: Kysely<Tables>, keeper: LeaseKeeper): RepeatClaims {
  return {
    claim: async ({ keyId, repeat }) => {
      const leaseId = randomUUID();
      keeper.hold('repeat_leases', leaseId);
      try {
        const { rows } = await sql<ClaimRow>`
          select * from claim_repeat(${leaseId}, ${keyId}, ${repeat.key}, ${repeat.bodyDigest},
            ${keeper.leaseMs}, ${REPEATED_FOR_MS})`.execute(db);
        if (rows[0]?.state === 'granted') return grant(leaseId, keeper);
        keeper.leave('repeat_leases', leaseId);
        return rows[0] ? claimOf(rows[0]) : between(repeat);
      } catch (error) {
        // it may have been taken without an answer
        void keeper.end('repeat_leases', leaseId);
        throw error;
      }
    },
  };
}

type ClaimRow = { readonly state: 'granted' } | TakenRow;

type TakenRow =
  | {
      readonly state: 'answered';
      readonly body_digest: string;
      readonly interaction_id: string;
      readonly session_id: string;
    }
  | { readonly state: 'running'; readonly body_digest: string; readonly ends_in_ms: number };

const grant = (leaseId: string, keeper: LeaseKeeper): RepeatClaim => ({
  kind: 'granted',
  leaseId,
  leave: () => keeper.leave('repeat_leases', leaseId),
  release: async () => void (await within(keeper.end('repeat_leases', leaseId), RELEASE_MAX_MS)),
});

function claimOf(row: TakenRow): RepeatClaim {
  const bodyDigest = row.body_digest;
  if (row.state === 'running') return { kind: 'running', bodyDigest, endsInMs: row.ends_in_ms };
  const { interaction_id: interactionId, session_id: sessionId } = row;
  return { kind: 'answered', bodyDigest, interactionId, sessionId };
}

/** The other lease ended at this moment. Another look finds its answer, or takes the lease. */
const between = ({ bodyDigest }: RequestRepeat): RepeatClaim => ({
  kind: 'running',
  bodyDigest,
  endsInMs: 0,
});
