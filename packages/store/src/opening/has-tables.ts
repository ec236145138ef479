import { existsSync } from 'node:fs';
import {
  type DatabaseLocation,
  databasePath,
  openDatabase,
  READING_LIMITS,
  schemaState,
} from '@trawl/database';

/**
 * Whether trawl's tables exist there. Reads only the schema's name and writes nothing. Also true
 * for a database that does not answer: whether it has them is not known, and the next use reports
 * why it does not answer.
 */
export async function hasTables(location: DatabaseLocation): Promise<boolean> {
  if (location.databaseUrl === undefined && !existsSync(databasePath(location.dataDir))) {
    return false;
  }
  const database = openDatabase(location, { connections: 1, limits: READING_LIMITS });
  try {
    return (await schemaState(database)) !== 'none';
  } catch {
    return true;
  } finally {
    await database.db.destroy();
  }
}
