import { setImmediate as nextTurn } from 'node:timers/promises';
import { type OpenConnection, type SqliteConnection, whenNotBusy } from '@trawl/database';
import { compressedLargeText, compressedRunText } from './run-text.ts';

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
/** Of their texts. A larger text is compressed on another thread, since this one must record meanwhile. */
const STEP_BYTES = 65_536;
/** After a failure, such as a full disk or a lock. */
const RETRY_MS = 5_000;
/** The setting with the rowid up to which runs were looked at. */
const COMPRESSED_UP_TO = 'runs_compressed_up_to';

interface Row {
  readonly id: number;
  readonly interaction: string;
  /** Of a text that was stored as it is; null for another. */
  readonly bytes: number | null;
}

/**
 * Compressing a text costs more than storing it, so the recorder stores most texts of SQLite as they are. PostgreSQL
 * compresses large values itself.
 */
export function createCompression(open: OpenConnection): Compression {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isCompressing = false;
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
    isCompressing = true;
    try {
      const hasMore = await compressSome(await open(), () => isStopped);
      if (hasMore) schedule(0);
      else if (writes !== before) schedule(QUIET_MS);
    } catch {
      // nothing is lost: the texts stay as they are, and a failing store is noticed by its writes
      schedule(RETRY_MS);
    } finally {
      isCompressing = false;
    }
  };
  return {
    noteWrite: () => {
      writes += 1;
      if (!timer && !isCompressing && !isStopped) schedule(QUIET_MS);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Whether there may be more to compress. */
async function compressSome(
  connection: SqliteConnection,
  isStopped: () => boolean,
): Promise<boolean> {
  // another use of the connection is in the middle of its transaction
  if (connection.inTransaction) return true;
  const rows = nextRows(connection);
  const [first] = rows;
  if (!first) return false;
  if ((first.bytes ?? 0) > STEP_BYTES) {
    const packed = await compressedLargeText(textOf(connection, first.id));
    // seconds of work, which are not thrown away when another program writes
    await whenNotBusy(async () => {
      while (connection.inTransaction) await nextTurn();
      if (!isStopped()) store(connection, [first], () => packed);
    });
  } else {
    store(connection, rows, ({ id, bytes }) =>
      bytes === null ? undefined : compressedRunText(textOf(connection, id)),
    );
  }
  return true;
}

/** Those of one step: a large text alone. */
function nextRows(connection: SqliteConnection): readonly Row[] {
  const rows = connection
    .prepare(
      `select rowid as id, interaction_id as interaction,
          case encoding when 'utf8' then octet_length(body) end as bytes from runs
        where rowid > ? order by rowid limit ${STEP_ROWS}`,
    )
    .all([readPosition(connection)]) as Row[];
  let sum = 0;
  const over = rows.findIndex(({ bytes }) => {
    sum += bytes ?? 0;
    return sum > STEP_BYTES;
  });
  return over < 0 ? rows : rows.slice(0, Math.max(1, over));
}

function textOf(connection: SqliteConnection, id: number): string {
  const [row] = connection.prepare('select body from runs where rowid = ?').all([id]) as {
    body: string;
  }[];
  return row?.body ?? '';
}

/** Writes what became smaller, and how far that is. A row that was deleted meanwhile, and its number used again, stays as it is. */
function store(
  connection: SqliteConnection,
  rows: readonly Row[],
  packedOf: (row: Row) => Uint8Array | undefined,
): void {
  connection.prepare('begin immediate').run([]);
  try {
    const update = connection.prepare(
      "update runs set encoding = 'deflate', body = ? where rowid = ? and interaction_id = ? and encoding = 'utf8'",
    );
    for (const row of rows) {
      const packed = packedOf(row);
      if (packed) update.run([packed, row.id, row.interaction]);
    }
    const last = rows.at(-1);
    if (last) writePosition(connection, last.id);
    connection.prepare('commit').run([]);
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
