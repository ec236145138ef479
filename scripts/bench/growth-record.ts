import { randomInt, randomUUID } from 'node:crypto';
import { isoTime, jsonText } from '@trawl/base';
import type { InteractionRecord, RunRecord } from '@trawl/router';

/** The recorder's thread of the build. */
export const WORKER_URL = new URL('../../dist/recorder-worker.js', import.meta.url);

/** 2,000 made-up words, so that PostgreSQL compresses texts about as it does those of pages. */
const WORDS = Array.from({ length: 2_000 }, () => {
  const length = randomInt(2, 11);
  return Array.from({ length }, () => 'etaoinshrdlucmfwyp'[randomInt(18)]).join('');
});

const textOf = (words: number): string =>
  Array.from({ length: words }, () => WORDS[randomInt(WORDS.length)]).join(' ');

/** A search of two providers with ten results each. */
export function interactionOf(projectId: string, sessionId: string): InteractionRecord {
  const id = randomUUID();
  const createdAt = isoTime(Date.now() - randomInt(20 * 86_400_000));
  const runs = ['one', 'two'].map((name, position) => runOf(name, position));
  return {
    ...{ id, instanceId: 'growth', sessionId, projectId, keyId: `${projectId}-key`, userId: null },
    ...{
      status: 'succeeded',
      outcome: 'succeeded',
      createdAt,
      completedAt: createdAt,
      normalizedSchemaVersion: 2,
    },
    ...{ trajectoryId: randomUUID(), parentTrajectoryId: null, trajectoryGoal: null },
    userInput: jsonText({ query: textOf(5) }),
    metadata: jsonText({}),
    routing: null,
    request: null,
    runs,
    ledger: runs.map((run) => ({
      ...{ id: randomUUID(), projectId, keyId: `${projectId}-key`, userId: null, sessionId },
      ...{ interactionId: id, runId: run.id, provider: run.name, createdAt, calls: 1 },
      ...{ outcome: 'succeeded', costMicros: 5_000, costSource: 'price_list', batchIndex: 0 },
      ...{ latencyMs: 250, errorCode: null, resultCount: 10, keyTail: 'k9Zq' },
      ...{ cachedFrom: null, savedMicros: null },
    })),
    titles: Array.from({ length: 20 }, () => ({
      url: `https://${textOf(1)}.example/${textOf(1)}`,
      title: textOf(7),
    })),
  };
}

function runOf(name: string, position: number): RunRecord {
  const results = Array.from({ length: 10 }, (_, rank) => ({
    ...{ rank: rank + 1, url: `https://${textOf(1)}.example/${textOf(1)}`, title: textOf(7) },
    ...{ summary: textOf(30), excerpt: textOf(80), publish_date: null, source: null },
  }));
  const id = randomUUID();
  const text = jsonText({ id, name, output_payload: { results } });
  return { kind: 'preprocessor', position, id, name, text } as unknown as RunRecord;
}
