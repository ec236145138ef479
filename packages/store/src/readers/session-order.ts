import type { Tables } from '@trawl/database';
import type { ExpressionBuilder } from 'kysely';

/**
 * Whether a session follows the one with this activity and id in a list: newest activity first,
 * then id.
 */
export const followsSession = (eb: ExpressionBuilder<Tables, 'sessions'>, at: string, id: string) =>
  // the index finds the first condition; the second leaves out ties that were shown
  eb.and([
    eb('latest_interaction_at', '<=', at),
    eb.or([eb('latest_interaction_at', '<', at), eb('id', '>', id)]),
  ]);
