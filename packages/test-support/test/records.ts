import { randomUUID } from 'node:crypto';
import { takenFor } from '@trawl/base/testing';
import { outcomeOfStatus } from '@trawl/contract';
import { type DatabaseLocation, openDatabase } from '@trawl/database';
import type {
  ApiKey,
  InteractionRecord,
  LedgerRecord,
  RunRecord,
  StoredInteraction,
} from '@trawl/router';
import type { Store } from '@trawl/store';

/** A time of day in seconds, on one day. */
export function at(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
}

/** @param text may be anything: the store does not read it */
export function runRecord(
  text: string,
  given: Partial<Pick<RunRecord, 'id' | 'kind' | 'position' | 'name'>> = {},
): RunRecord {
  const { kind = 'preprocessor', ...rest } = given;
  const run = { id: randomUUID(), position: 0, name: 'exa', ...rest };
  switch (kind) {
    case 'preprocessor':
      return { ...run, kind, text: takenFor(text) };
    case 'postprocessor':
      return { ...run, kind, text: takenFor(text) };
    case 'merged':
      return { ...run, kind, text: takenFor(text) };
  }
}

export function ledgerRecord(
  interaction: Pick<InteractionRecord, 'id' | 'projectId' | 'sessionId'>,
  given: Partial<LedgerRecord> = {},
): LedgerRecord {
  return {
    id: randomUUID(),
    projectId: interaction.projectId,
    keyId: 'key-1',
    userId: null,
    sessionId: interaction.sessionId,
    interactionId: interaction.id,
    runId: randomUUID(),
    provider: 'exa',
    createdAt: at(0),
    calls: 1,
    outcome: 'succeeded',
    costMicros: 5000,
    costSource: 'price_list',
    batchIndex: 0,
    latencyMs: 250,
    errorCode: null,
    resultCount: null,
    keyTail: null,
    cachedFrom: null,
    savedMicros: null,
    ...given,
  };
}

/** One run, one ledger row and one title, unless given. */
export function interactionRecord(
  given: Partial<InteractionRecord> & Pick<InteractionRecord, 'projectId'>,
): InteractionRecord {
  const id = given.id ?? randomUUID();
  const sessionId = given.sessionId ?? randomUUID();
  const createdAt = given.createdAt ?? at(0);
  return {
    id,
    instanceId: 'instance-1',
    sessionId,
    keyId: 'key-1',
    userId: 'user-1',
    status: 'succeeded',
    outcome: outcomeOfStatus(given.status ?? 'succeeded'),
    createdAt,
    completedAt: new Date(Date.parse(createdAt) + 250).toISOString(),
    normalizedSchemaVersion: 2,
    trajectoryId: randomUUID(),
    parentTrajectoryId: null,
    trajectoryGoal: null,
    userInput: takenFor('{"query":"harbour"}'),
    metadata: takenFor('{}'),
    routing: null,
    request: null,
    runs: [runRecord('{"results":[]}')],
    ledger: [ledgerRecord({ id, projectId: given.projectId, sessionId })],
    titles: [{ url: 'https://example.com/', title: 'Home' }],
    ...given,
  };
}

/** A new project's id. */
export async function newProject(store: Store): Promise<string> {
  const id = randomUUID();
  await store.keys.ensureProject({ id, name: `project ${id}`, createdAt: at(0) });
  return id;
}

export function apiKey(projectId: string, given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: randomUUID(),
    projectId,
    name: 'a key',
    lastFour: 'wxyz',
    permissions: ['search', 'read'],
    createdAt: at(0),
    expiresAt: null,
    revokedAt: null,
    disabledAt: null,
    createdBy: null,
    allowedProviders: null,
    noTraining: false,
    allowedDomains: null,
    profile: null,
    replaySession: null,
    rotatedFrom: null,
    loginClient: null,
    isHidden: false,
    rateLimit: null,
    monthlyBudgetMicros: null,
    ...given,
  };
}

/** The ids of a session's ledger rows, in order. */
export async function ledgerIds(
  location: DatabaseLocation,
  sessionId: string,
): Promise<readonly string[]> {
  const { db } = openDatabase(location, { connections: 1 });
  const rows = await db
    .selectFrom('ledger')
    .select('id')
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute();
  await db.destroy();
  return rows.map((row) => row.id);
}

/** A history, with all that is read one after the other. */
export async function historyOf(
  { reader }: Pick<Store, 'reader'>,
  ...wanted: Parameters<Store['reader']['history']>
): Promise<readonly StoredInteraction[]> {
  const found: StoredInteraction[] = [];
  for await (const some of reader.history(...wanted)) found.push(...some);
  return found;
}
