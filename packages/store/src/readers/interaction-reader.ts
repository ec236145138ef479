import { createSlices } from '@trawl/base';
import type { InteractionsTable, OpenDatabase, Tables } from '@trawl/database';
import type {
  InteractionReader,
  RepeatedRequest,
  StoredInteraction,
  StoredSession,
} from '@trawl/router';
import { type Kysely, type Selectable, sql } from 'kysely';
import { readFeedback } from '../recorder/feedback.ts';
import { readKnownTitle } from './known-title.ts';
import { readLedger, wasDeleted } from './ledger.ts';
import { type RunTexts, readRunTexts, readStoredRuns } from './read-runs.ts';
import { readHeads, type SessionHead } from './sessions/heads.ts';

/**
 * How many interactions of a history are read at once. The embedded database is read on the calling
 * thread.
 */
const HISTORY_PAGE = 50;
const HISTORY_PAGE_WITH_RUNS = 5;

/** What a history shows; not the titles, which are only searched. */
const HISTORY_COLUMNS = [
  'sequence',
  'id',
  'instance_id',
  'session_id',
  'status',
  'outcome',
  'created_at',
  'completed_at',
  'normalized_schema_version',
  'trajectory_id',
  'parent_trajectory_id',
  'trajectory_goal',
  'user_input',
  'metadata',
  'routing',
  'request',
] as const satisfies readonly (keyof InteractionsTable)[];

type InteractionRow = Pick<Selectable<InteractionsTable>, (typeof HISTORY_COLUMNS)[number]>;
type Position = Pick<InteractionRow, 'created_at' | 'sequence'>;

export function createInteractionReader(database: OpenDatabase): InteractionReader {
  const { db } = database;
  return {
    sessionOwner: async (sessionId) => {
      const row = await db
        .selectFrom('sessions')
        .select('project_id')
        .where('id', '=', sessionId)
        .executeTakeFirst();
      return row?.project_id;
    },
    sessionOf: async (projectId, interactionId) => {
      const row = await db
        .selectFrom('interactions')
        .select('session_id')
        .where('id', '=', interactionId)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row?.session_id;
    },
    interaction: async (projectId, sessionId, interactionId, onRead) => {
      const row = await ofSession(db, projectId, sessionId)
        .select(HISTORY_COLUMNS)
        .where('id', '=', interactionId)
        .executeTakeFirst();
      if (!row) return undefined;
      const runs = await readStoredRuns(db, [row.id]);
      return storedInteraction(row, await readRunTexts(db, runs.get(row.id) ?? [], { onRead }));
    },
    sessions: async (projectId, { sessionId, ...page }) => {
      const ids = sessionId === undefined ? undefined : [sessionId];
      return (await readHeads(db, projectId, { ...page, ids })).map(storedSession);
    },
    session: async (projectId, sessionId) =>
      (await readHeads(db, projectId, { ids: [sessionId] })).map(storedSession)[0],
    requestsOf: (projectId, sessionId, userInput) =>
      ofSession(db, projectId, sessionId)
        .select(['id', 'request'])
        .select((eb) => eb.ref('user_input').$notNull().as('userInput'))
        .where(sql`length(user_input)`, '=', sql.lit([...userInput].length))
        .orderBy('created_at')
        .orderBy('sequence')
        .execute(),
    history: (projectId, sessionId, page) => readHistory(db, projectId, sessionId, page),
    repeated: (keyId, idempotencyKey, notBefore) =>
      readRepeat(db, keyId, idempotencyKey, notBefore),
    ledger: (projectId, interactionId, createdAt) =>
      readLedger(db, { projectId, interactionId, createdAt }),
    wasDeleted: (projectId, interactionId, sessionId) =>
      wasDeleted(db, projectId, interactionId, sessionId),
    feedback: (interactionId) => readFeedback(db, interactionId),
    knownTitle: (projectId, url) => readKnownTitle(database, projectId, url),
  };
}

/** Finds no interactions for a session of another project. */
function ofSession(db: Kysely<Tables>, projectId: string, sessionId: string) {
  return db
    .selectFrom('interactions')
    .where('session_id', '=', sessionId)
    .where('project_id', '=', projectId);
}

async function* readHistory(
  db: Kysely<Tables>,
  projectId: string,
  sessionId: string,
  page: HistoryPage,
): AsyncGenerator<readonly StoredInteraction[]> {
  const { limit = Number.POSITIVE_INFINITY, after, runs } = page;
  let last: Position | undefined;
  if (after !== undefined) {
    last = await ofSession(db, projectId, sessionId)
      .select(['created_at', 'sequence'])
      .where('id', '=', after)
      .executeTakeFirst();
    if (!last) return;
  }
  const takeTurn = createSlices();
  const room = { left: page.charactersMax ?? Number.POSITIVE_INFINITY, isUntouched: true };
  for (let left = limit; left > 0 && room.left > 0; ) {
    const size = Math.min(runs ? HISTORY_PAGE_WITH_RUNS : HISTORY_PAGE, left);
    const rows = await readPage(ofSession(db, projectId, sessionId), last, size);
    const found = await readFitting(db, rows, page, room);
    yield found;
    if (found.length < size) return;
    left -= size;
    last = rows.at(-1);
    await takeTurn();
  }
}

type HistoryPage = Parameters<InteractionReader['history']>[2];

/** Room for the texts of a history, in characters. */
interface Room {
  left: number;
  /** The first interaction is never too large. */
  isUntouched: boolean;
}

/** The interactions of these rows with their runs, up to the first that does not fit. */
async function readFitting(
  db: Kysely<Tables>,
  rows: readonly InteractionRow[],
  { runs, onRead }: Pick<HistoryPage, 'runs' | 'onRead'>,
  room: Room,
): Promise<readonly StoredInteraction[]> {
  const ids = rows.map((row) => row.id);
  const stored = runs ? await readStoredRuns(db, ids) : undefined;
  const found: StoredInteraction[] = [];
  for (const row of rows) {
    room.left -= row.metadata.length + (row.user_input?.length ?? 0);
    const charactersMax = room.isUntouched ? undefined : room.left;
    if (charactersMax !== undefined && charactersMax < 0) return found;
    const texts = await readRunTexts(db, stored?.get(row.id) ?? [], { charactersMax, onRead });
    if (!texts) return found;
    room.left -= characters(texts);
    room.isUntouched = false;
    found.push(storedInteraction(row, texts));
  }
  return found;
}

const characters = ({ preprocessorRuns, postprocessorRuns, mergedLists }: RunTexts): number =>
  [...preprocessorRuns, ...postprocessorRuns, ...mergedLists].reduce(
    (sum, text) => sum + text.length,
    0,
  );

async function readPage(
  interactions: ReturnType<typeof ofSession>,
  last: Position | undefined,
  size: number,
): Promise<readonly InteractionRow[]> {
  const query = interactions
    .select(HISTORY_COLUMNS)
    .orderBy('created_at')
    .orderBy('sequence')
    .limit(size);
  if (!last) return query.execute();
  return query
    .where((eb) =>
      eb(eb.refTuple('created_at', 'sequence'), '>', eb.tuple(last.created_at, last.sequence)),
    )
    .execute();
}

function storedSession(row: SessionHead): StoredSession {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    interactionCount: row.interaction_count,
    deletedCount: row.deleted_count,
    latestInteractionAt: row.latest_interaction_at,
  };
}

function storedInteraction(row: InteractionRow, runs: RunTexts | undefined): StoredInteraction {
  return {
    id: row.id,
    instanceId: row.instance_id,
    sessionId: row.session_id,
    status: row.status,
    outcome: row.outcome,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    normalizedSchemaVersion: row.normalized_schema_version,
    trajectoryId: row.trajectory_id,
    parentTrajectoryId: row.parent_trajectory_id,
    trajectoryGoal: row.trajectory_goal,
    userInput: row.user_input,
    metadata: row.metadata,
    routing: row.routing,
    request: row.request,
    preprocessorRuns: runs?.preprocessorRuns ?? [],
    postprocessorRuns: runs?.postprocessorRuns ?? [],
    mergedLists: runs?.mergedLists ?? [],
  };
}

/** The interaction that answered a key's request with this idempotency key since a time. */
async function readRepeat(
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
