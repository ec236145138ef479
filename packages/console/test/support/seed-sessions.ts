import { randomUUID } from 'node:crypto';
import { takenFor } from '@trawl/base/testing';
import type { InteractionRecord } from '@trawl/router';
import type { TestServer } from '@trawl/test-support/harness';
import { interactionRecord, ledgerRecord, runRecord } from '@trawl/test-support/records';

export interface SeededRun {
  readonly provider: string;
  /** Absent = it succeeded. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly latencyMs?: number;
  readonly costMicros?: number | null;
  readonly results?: readonly object[];
}

export interface Seed {
  readonly sessionId?: string;
  readonly query?: string;
  readonly createdAt?: string;
  readonly tookMs?: number;
  readonly userId?: string | null;
  readonly metadata?: object;
  readonly goal?: string;
  readonly trajectoryId?: string;
  readonly parentTrajectoryId?: string;
  readonly runs?: readonly SeededRun[];
}

/** Records a search as the server would, without calling a provider. */
export async function seedSearch(
  { server: { store }, projectId, keyId }: TestServer,
  seed: Seed = {},
): Promise<InteractionRecord> {
  const { query = 'when do cranes fly south', runs = [{ provider: 'exa' }] } = seed;
  const createdAt = seed.createdAt ?? new Date().toISOString();
  const head = { id: randomUUID(), projectId, sessionId: seed.sessionId ?? randomUUID() };
  const made = runs.map((run, position) => ({ run, position, id: randomUUID() }));
  const failed = runs.filter(({ error }) => error).length;
  const record = interactionRecord({
    ...head,
    keyId,
    createdAt,
    completedAt: new Date(Date.parse(createdAt) + (seed.tookMs ?? 800)).toISOString(),
    userId: seed.userId ?? null,
    status: failed === 0 ? 'succeeded' : failed < runs.length ? 'partially_succeeded' : 'failed',
    trajectoryId: seed.trajectoryId ?? randomUUID(),
    parentTrajectoryId: seed.parentTrajectoryId ?? null,
    trajectoryGoal: seed.goal ?? null,
    userInput: takenFor(JSON.stringify({ query })),
    metadata: takenFor(JSON.stringify(seed.metadata ?? {})),
    runs: made.map(({ run, position, id }) =>
      runRecord(JSON.stringify(runOf(run, id, query)), { id, position, name: run.provider }),
    ),
    ledger: made.map(({ run, id }) =>
      ledgerRecord(head, {
        createdAt,
        keyId,
        userId: seed.userId ?? null,
        runId: id,
        provider: run.provider,
        outcome: run.error ? 'failed' : 'succeeded',
        costMicros: run.costMicros === undefined ? 5_000 : run.costMicros,
        latencyMs: run.latencyMs ?? 300,
        errorCode: run.error?.code ?? null,
      }),
    ),
    titles: [],
  });
  await store.recorder.record(record);
  return record;
}

function runOf(
  { provider, error, latencyMs = 300, results }: SeededRun,
  id: string,
  query: string,
) {
  return {
    id,
    preprocessor_name: provider,
    status: error ? 'failed' : 'succeeded',
    batch_index: 0,
    query,
    request_payload: { method: 'POST', url: 'https://provider.example/search', body: { query } },
    output_payload: error
      ? null
      : {
          schema_version: 2,
          tier: 'default',
          fields: ['url', 'title', 'rank', 'summary'],
          results: results ?? [
            {
              url: 'https://example.com/cranes',
              title: 'Cranes and their routes',
              rank: 1,
              summary: 'In October.',
            },
          ],
          latency_ms: latencyMs,
          warnings: [{ code: 'capability_gap', message: 'summary: not supplied' }],
        },
    raw_payload: null,
    error: error
      ? {
          ...error,
          provider,
          http_status: 500,
          retryable: true,
          retry_after_ms: null,
          warnings: [],
        }
      : null,
    latency_ms: latencyMs,
  };
}

/** Records a fetch of one page. */
export async function seedFetch(
  { server: { store }, projectId, keyId }: TestServer,
  { url, text }: { readonly url: string; readonly text: string },
): Promise<InteractionRecord> {
  const head = { id: randomUUID(), projectId, sessionId: randomUUID() };
  const runId = randomUUID();
  const row = {
    url,
    status: 'succeeded',
    error: null,
    title: 'A page',
    content: text,
    content_format: 'markdown',
    content_length: text.length,
    http_status: 200,
    provider: 'direct',
    latency_ms: 40,
    warnings: [],
    truncated: false,
    warning: null,
    cache_state: null,
    provider_chain: [
      { provider: 'jina', outcome: 'failed', code: 'blocked', latency_ms: 30 },
      { provider: 'direct', outcome: 'answered', code: null, latency_ms: 40 },
    ],
  };
  const run = {
    id: runId,
    preprocessor_name: 'web_fetch',
    status: 'succeeded',
    batch_index: 0,
    query: '',
    request_payload: { urls: [url], options: { tier: 'extended' } },
    output_payload: { fetched_results: [row], succeeded_count: 1, failed_count: 0, warnings: [] },
    raw_payload: null,
    error: null,
    latency_ms: 70,
  };
  const createdAt = new Date().toISOString();
  const record = interactionRecord({
    ...head,
    keyId,
    createdAt,
    userId: null,
    normalizedSchemaVersion: null,
    userInput: takenFor(JSON.stringify({ urls: [url] })),
    runs: [runRecord(JSON.stringify(run), { id: runId, name: 'web_fetch' })],
    ledger: [ledgerRecord(head, { createdAt, keyId, runId, provider: 'direct', batchIndex: null })],
    titles: [],
  });
  await store.recorder.record(record);
  return record;
}
