/**
 * Interactions that one query reads: the embedded database is read on the calling thread, and other
 * requests get their turn in between.
 */
const INTERACTIONS_AT_ONCE = 2_000;

/** Splits sessions so that each part has few interactions. A single session is never split. */
export function* batches<Session extends { readonly interaction_count: number }>(
  sessions: readonly Session[],
): Generator<readonly Session[]> {
  let batch: Session[] = [];
  let interactions = 0;
  for (const session of sessions) {
    if (batch.length > 0 && interactions + session.interaction_count > INTERACTIONS_AT_ONCE) {
      yield batch;
      batch = [];
      interactions = 0;
    }
    batch.push(session);
    interactions += session.interaction_count;
  }
  if (batch.length > 0) yield batch;
}
