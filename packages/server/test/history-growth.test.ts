import { randomUUID } from 'node:crypto';
import { InteractionResponse, readExamples } from '@trawl/contract';
import { growthOf } from '@trawl/test-support/cpu-growth';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { at, interactionRecord, runRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * Enough that an answer of all of them has more parts than an array can lose at its start in
 * constant time.
 */
const MOST = byForm({ small: 8_192, full: 16_384 });
const AT_ONCE = 512;

const { search } = await readExamples();
const { preprocessor_runs } = InteractionResponse.parse(search.answer.succeeded?.value);
const [SEARCH_RUN] = preprocessor_runs;

let server: TestServer;
const sessions = new Map<number, string>();

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/**
 * The session of so many searches with two providers each, which is made when it is first asked
 * for.
 */
async function sessionOf(count: number): Promise<string> {
  const known = sessions.get(count);
  if (known !== undefined) return known;
  const sessionId = randomUUID();
  sessions.set(count, sessionId);
  const { projectId } = server;
  for (let first = 0; first < count; first += AT_ONCE) {
    const records = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) =>
      interactionRecord({
        ...{ projectId, sessionId, createdAt: at(first + index), ledger: [], titles: [] },
        runs: ['exa', 'brave'].map((name, position) =>
          runRecord(JSON.stringify({ ...SEARCH_RUN, id: randomUUID() }), { name, position }),
        ),
      }),
    );
    await Promise.all(records.map((record) => server.server.store.recorder.record(record)));
  }
  return sessionId;
}

/** Reads all of it, in as many answers as it takes. */
async function readAll(path: string): Promise<void> {
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; ) {
    const { status, json } = await server.call('GET', after ? `${path}&after=${after}` : path);
    expect(status).toBe(200);
    after = json.next_after;
    isFirst = false;
  }
}

test.each(['history?type=short', 'history?type=full', 'trajectory?'])(
  'GET %s takes CPU time in proportion to the interactions of the session',
  { timeout: 300_000 },
  async (path) => {
    const { fault } = await growthOf({
      given: sessionOf,
      work: (id) => readAll(`/v1/sessions/${id}/${path}`),
      most: MOST,
      cpuMaxMs: 10_000,
    });
    expect(fault).toBeUndefined();
  },
);
