import type { InteractionRecord, RepeatedRequest } from '@trawl/router';
import type { Kysely, Transaction } from 'kysely';
import type { RepeatsTable, Tables } from '../database/tables.ts';

/** The row that makes a request repeatable; undefined if its caller did not send an idempotency key. */
export function repeatRow(interaction: InteractionRecord): RepeatsTable | undefined {
  const { repeat } = interaction;
  return (
    repeat && {
      key_id: interaction.keyId,
      idempotency_key: repeat.key,
      body_digest: repeat.bodyDigest,
      interaction_id: interaction.id,
      created_at: interaction.createdAt,
    }
  );
}

/** An expired key that is used again then belongs to the newer request. */
export async function insertRepeats(
  transaction: Transaction<Tables>,
  rows: readonly RepeatsTable[],
): Promise<void> {
  for (const row of rows) {
    await transaction
      .insertInto('repeats')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'idempotency_key']).doUpdateSet({
          body_digest: row.body_digest,
          interaction_id: row.interaction_id,
          created_at: row.created_at,
        }),
      )
      .execute();
  }
}

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
