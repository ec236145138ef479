import { randomBytes, randomUUID } from 'node:crypto';
import { jsonText } from '@trawl/base';
import type { Tables } from '@trawl/database';
import type { InteractionRecord } from '@trawl/router';
import type { Kysely } from 'kysely';
import { type GroupWriter, recordItem } from './group-item.ts';
import { type RecordRows, type RunRow, recordRows } from './rows.ts';

/** A large record: a search at tier max whose answer holds the text of some pages. */
export const TRIAL_BYTES = 1_048_576;
const RUN_BYTES = 262_144;

/** Trials have their own project, so that no key can read them. */
export const TRIAL_PROJECT_PREFIX = 'trial-';
const TRIAL_TIME = '1970-01-01T00:00:00.000Z';
/** Longer than any trial takes, and than the clocks of two servers differ. */
const ABANDONED_AFTER_MS = 600_000;

/**
 * Commits a record of at least this size into every table of a record, and deletes it again. It
 * uses a transaction for each, because a rolled-back write may never reach the disk. Fails whenever
 * a record of that size would fail.
 */
export async function writeTrial(
  db: Kysely<Tables>,
  write: GroupWriter,
  bytes: number,
): Promise<void> {
  const now = Date.now();
  await removeTrials(db, await findAbandonedTrials(db, now));
  const projectId = `${TRIAL_PROJECT_PREFIX}${randomUUID()}`;
  await db
    .insertInto('projects')
    .values({ id: projectId, name: projectId, created_at: timeText(now) })
    .execute();
  try {
    await write([recordItem(trialRows(projectId, bytes))]);
  } finally {
    await removeTrials(db, [projectId]);
  }
}

const timeText = (at: number): string => new Date(at).toISOString();

/**
 * Finds trials of processes that ended during one. Younger ones may be running on other servers.
 */
async function findAbandonedTrials(db: Kysely<Tables>, now: number): Promise<readonly string[]> {
  const found = await db
    .selectFrom('projects')
    .select('id')
    .where('id', 'like', `${TRIAL_PROJECT_PREFIX}%`)
    .where('created_at', '<', timeText(now - ABANDONED_AFTER_MS))
    .execute();
  return found.map(({ id }) => id);
}

async function removeTrials(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('usage_days').where('project_id', 'in', ids).execute();
    await transaction.deleteFrom('ledger').where('project_id', 'in', ids).execute();
    await transaction.deleteFrom('sessions').where('project_id', 'in', ids).execute();
    await transaction.deleteFrom('projects').where('id', 'in', ids).execute();
  });
}

function trialRows(projectId: string, bytes: number): RecordRows {
  const record = trialRecord(projectId);
  return { ...recordRows(record), runs: trialRuns(record.id, bytes) };
}

/** Random texts, which no database can compress by more than the quarter that base64 adds. */
function trialRuns(interactionId: string, bytes: number): readonly RunRow[] {
  const count = Math.max(1, Math.ceil(bytes / RUN_BYTES));
  return Array.from({ length: count }, (_, position) => [
    interactionId,
    'preprocessor',
    position,
    randomUUID(),
    'trial',
    randomBytes(RUN_BYTES).toString('base64'),
  ]);
}

function trialRecord(projectId: string): InteractionRecord {
  const id = randomUUID();
  const sessionId = randomUUID();
  return {
    id,
    instanceId: 'trial',
    sessionId,
    projectId,
    keyId: projectId,
    userId: null,
    status: 'failed',
    outcome: 'failed',
    createdAt: TRIAL_TIME,
    completedAt: TRIAL_TIME,
    normalizedSchemaVersion: null,
    trajectoryId: randomUUID(),
    parentTrajectoryId: null,
    trajectoryGoal: null,
    userInput: null,
    metadata: jsonText({}),
    routing: null,
    request: null,
    runs: [],
    ledger: [
      {
        id: randomUUID(),
        projectId,
        keyId: projectId,
        userId: null,
        sessionId,
        interactionId: id,
        runId: randomUUID(),
        provider: 'trial',
        createdAt: TRIAL_TIME,
        calls: 1,
        outcome: 'failed',
        costMicros: null,
        costSource: null,
        batchIndex: null,
        latencyMs: null,
        errorCode: null,
        resultCount: null,
        keyTail: null,
        cachedFrom: null,
        savedMicros: null,
      },
    ],
    titles: Array.from({ length: 20 }, () => ({
      url: `https://trial.invalid/${randomUUID()}`,
      title: 'trial',
    })),
    repeat: { key: randomUUID(), bodyDigest: '' },
  };
}
