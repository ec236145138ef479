import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenConnection, SqliteConnection } from '@trawl/database';
import { compressedRunText } from './run-text.ts';

/** Compresses texts that were stored as they are, when nothing else is written. */
export interface Compression {
  /** Something is written: compression waits until it is quiet again. */
  noteWrite(): void;
  stop(): void;
}

/** How long nothing may have been written. */
const QUIET_MS = 100;
/** Texts of one step, which takes one or two milliseconds. */
const STEP_ROWS = 8;
/** After a failure, such as a full disk or a lock. */
const RETRY_MS = 5_000;
/** The setting with the rowid up to which runs were looked at. */
const COMPRESSED_UP_TO = 'runs_compressed_up_to';

interface Row {
  readonly id: number;
  readonly body: string | null;
}

/**
 * Compressing a text costs more than storing it, so the recorder stores most texts of SQLite as they are. PostgreSQL
 * compresses large values itself.
 */
export function createCompression(open: OpenConnection): Compression {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let writes = 0;
  /** Compresses after this time, unless something is written until then. */
  const schedule = (milliseconds: number): void => {
    const before = writes;
    timer = setTimeout(() => void step(before), milliseconds).unref();
  };
  const step = async (before: number): Promise<void> => {
    // on a busy machine this thread may have waited for its turn: writes may be here that it has not seen yet
    await nextTurn();
    if (isStopped) return;
    if (writes !== before) return schedule(QUIET_MS);
    timer = undefined;
    try {
      if (compressSome(await open())) schedule(0);
    } catch {
      // nothing is lost: the texts stay as they are, and a failing store is noticed by its writes
      schedule(RETRY_MS);
    }
  };
  return {
    noteWrite: () => {
      writes += 1;
      if (!timer && !isStopped) schedule(QUIET_MS);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Whether there may be more to compress. */
function compressSome(connection: SqliteConnection): boolean {
  // another use of the connection is in the middle of its transaction
  if (connection.inTransaction) return true;
  connection.prepare('begin immediate').run([]);
  try {
    const from = readPosition(connection);
    const rows = connection
      .prepare(
        `select rowid as id, case encoding when 'utf8' then body end as body from runs
          where rowid > ? order by rowid limit ${STEP_ROWS}`,
      )
      .all([from]) as Row[];
    const update = connection.prepare(
      "update runs set encoding = 'deflate', body = ? where rowid = ?",
    );
    for (const { id, body } of rows) {
      const compressed = typeof body === 'string' ? compressedRunText(body) : undefined;
      if (compressed) update.run([compressed, id]);
    }
    const last = rows.at(-1);
    if (last) writePosition(connection, last.id);
    connection.prepare('commit').run([]);
    return rows.length === STEP_ROWS;
  } catch (error) {
    if (connection.inTransaction) connection.prepare('rollback').run([]);
    throw error;
  }
}

function readPosition(connection: SqliteConnection): number {
  const rows = connection
    .prepare('select value from settings where name = ?')
    .all([COMPRESSED_UP_TO]) as { value: string }[];
  return Number(rows[0]?.value ?? 0);
}

function writePosition(connection: SqliteConnection, id: number): void {
  connection
    .prepare(
      'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    )
    .run([COMPRESSED_UP_TO, String(id)]);
}
