import type { Tables } from '@trawl/database';
import type { RepeatedRequest } from '@trawl/router';
import type { Kysely } from 'kysely';

/** The interaction that answered a key's request with this idempotency key since a time. */
export async function readRepeat(
  db: Kysely<Tables>,
  keyId: string,
  idempotencyKey: string,
  notBefore: string,
): Promise<RepeatedRequest | undefined> {
  const row = await db
    .selectFrom('repeats')
    .innerJoin('interactions', 'interactions.id', 'repeats.interaction_id')
    .select(['body_digest', 'interaction_id', 'interactions.session_id'])
    .where('repeats.key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .where('repeats.created_at', '>=', notBefore)
    .executeTakeFirst();
  return (
    row && {
      bodyDigest: row.body_digest,
      interactionId: row.interaction_id,
      sessionId: row.session_id,
    }
  );
}
