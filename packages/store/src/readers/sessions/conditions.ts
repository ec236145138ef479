import type { SessionFilters } from '@trawl/contract/console';
import type { OpenDatabase } from '@trawl/database';
import { type RawBuilder, sql } from 'kysely';

/**
 * What one interaction of a session must meet; undefined without such filters. No text of callers
 * is read as JSON by the database: PostgreSQL refuses some escapes that requests may contain.
 */
export function interactionConditions(
  { textContains }: Pick<OpenDatabase, 'textContains'>,
  filters: SessionFilters,
): RawBuilder<unknown> | undefined {
  const { outcome, provider, key_id: keyId, user_id: userId, text, metadata } = filters;
  const conditions = [
    outcome && sql`interactions.outcome = ${outcome}`,
    keyId && sql`interactions.key_id = ${keyId}`,
    userId && sql`interactions.user_id = ${userId}`,
    provider && hasRunOf(provider),
    text && hasText(textContains, text),
    metadata && hasMember(textContains, metadata),
  ].filter((condition) => condition !== undefined && condition !== '');
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : undefined;
}

/** A ledger row has the time of its interaction, so the index over project and time finds it. */
export const LEDGER_OF_INTERACTION = sql`ledger.project_id = interactions.project_id
  and ledger.created_at = interactions.created_at and ledger.interaction_id = interactions.id`;

const hasRunOf = (provider: string): RawBuilder<unknown> =>
  sql`exists (select 1 from ledger where ${LEDGER_OF_INTERACTION} and ledger.provider = ${provider})`;

/**
 * The JSON text of a request without the names that every request has. Both databases lower A to Z
 * only.
 */
const WITHOUT_KEYS = ['"query":', '"queries":', '"urls":'].reduce(
  (column, key) => sql`replace(${column}, ${key}, '')`,
  sql<string>`lower(interactions.user_input)`,
);

const lowerCase = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The end of an id, as lists show it. */
const ID_END = /^…?([0-9a-f]{8})$/i;

/** A part of the request, or the end of an id. */
function hasText(textContains: OpenDatabase['textContains'], text: string): RawBuilder<unknown> {
  const end = ID_END.exec(text)?.[1]?.toLowerCase();
  const isInRequest = textContains(WITHOUT_KEYS, inJson(lowerCase(text)));
  if (end === undefined) return isInRequest;
  const ends = `%${end}`;
  return sql`(${isInRequest} or interactions.id like ${ends} or interactions.session_id like ${ends})`;
}

/** A text as it is written inside of a JSON string. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Metadata is stored as `JSON.stringify` writes it, so a member has one spelling. */
function hasMember(textContains: OpenDatabase['textContains'], pair: string): RawBuilder<unknown> {
  const equals = pair.indexOf('=');
  const key = JSON.stringify(pair.slice(0, equals));
  const value = pair.slice(equals + 1);
  const spellings = [`${key}:${JSON.stringify(value)}`];
  if (/^(?:true|false|null|-?[\d.]+)$/.test(value)) {
    spellings.push(`${key}:${value},`, `${key}:${value}}`);
  }
  const column = sql<string>`interactions.metadata`;
  return sql`(${sql.join(
    spellings.map((spelling) => textContains(column, spelling)),
    sql` or `,
  )})`;
}
