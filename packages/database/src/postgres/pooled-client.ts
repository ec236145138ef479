import type { PostgresPoolClient } from 'kysely';

/** Statements of Kysely, as it writes them. */
const begins = (text: string): boolean => text === 'begin' || text.startsWith('start transaction');
const ends = (text: string): boolean => text === 'commit' || text === 'rollback';

/**
 * A connection behind a pooler in transaction mode, where each transaction may have another
 * connection of the database. So limits are set in every transaction, and a statement outside of
 * one gets its own. Setting them ends with the transaction, and no other caller is affected.
 * @param limits the statement that sets them for a transaction
 */
export function pooledClient(client: PostgresPoolClient, limits: string): PostgresPoolClient {
  let isInside = false;
  /** Without an answer to this the connection is closed, which ends the transaction too. */
  const rollback = () => client.query('rollback', []).catch(() => {});
  const ended = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      await rollback();
      throw error;
    }
  };
  const begin = (text: string) => ended(() => client.query(`${text}; ${limits}`, []));
  const query = async (text: string, parameters: readonly unknown[]) => {
    if (begins(text)) {
      const begun = await begin(text);
      isInside = true;
      return begun;
    }
    if (isInside) {
      isInside = !ends(text);
      return client.query(text, parameters);
    }
    await begin('begin');
    return ended(async () => {
      const result = await client.query(text, parameters);
      await client.query('commit', []);
      return result;
    });
  };
  return {
    // Kysely's second form is for cursors, which are not used.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(),
  };
}
