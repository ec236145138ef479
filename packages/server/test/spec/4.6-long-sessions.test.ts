import { randomUUID } from 'node:crypto';
import { LIMITS, SessionHistoryResponse, SessionTrajectoryResponse } from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Twenty-five interactions of 0.9 MB each: too many for one answer. */
const COUNT = 25;
const TEXT = 'x'.repeat(900_000);
const session = randomUUID();
const ids: string[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (let index = 0; index < COUNT; index++) {
    const body = { session_id: session, metadata: { index, text: TEXT } };
    const answer = await server.call('POST', '/v1/interactions', { body });
    ids.push(answer.json.interaction_id);
  }
});
afterAll(() => server.stop());

async function pages(path: string, idsOf: (json: never) => string[]): Promise<string[][]> {
  const found: string[][] = [];
  for (let after: string | undefined, isDone = false; !isDone; ) {
    const { status, json } = await server.call('GET', `${path}${after ? `&after=${after}` : ''}`);
    expect(status).toBe(200);
    found.push(idsOf(json as never));
    after = json.next_after;
    isDone = after === undefined;
  }
  return found;
}

describe('a session that is larger than one answer', () => {
  test('4.6 history is split between interactions, gives the start of the next part, and loses none', async () => {
    const found = await pages(
      `/v1/sessions/${session}/history?type=full`,
      (json: { interactions: { id: string }[] }) => json.interactions.map(({ id }) => id),
    );
    expect(found.length).toBeGreaterThan(1);
    expect(found.flat()).toEqual(ids);
  });

  test.each([
    ['4.6 a history has at most 16 million characters', 'history?type=full'],
    ['4.6 a short history', 'history?type=short'],
    ['4.7 a trajectory', 'trajectory?limit=1000'],
  ])('%s, and says where to continue', async (_name, path) => {
    const { json } = await server.call('GET', `/v1/sessions/${session}/${path}`);
    const fitting = Math.floor(LIMITS.historyCharacters / (TEXT.length + 100));
    expect(json.next_after).toBe(ids[fitting - 1]);
  });

  test('4.7 the trajectory is split in the same way', async () => {
    const found = await pages(
      `/v1/sessions/${session}/trajectory?limit=1000`,
      (json: { trajectory: { children: { entity_id: string }[] } }) =>
        json.trajectory.children.map(({ entity_id }) => entity_id),
    );
    expect(found.length).toBeGreaterThan(1);
    expect(found.flat()).toEqual(ids);
  });

  test('4.6 limit also splits; the last page has no next_after', async () => {
    const first = await server.call('GET', `/v1/sessions/${session}/history?limit=3`);
    expect(first.json.next_after).toBe(ids[2]);
    expect(SessionHistoryResponse.safeParse(first.json).error).toBeUndefined();
    const last = await server.call(
      'GET',
      `/v1/sessions/${session}/history?after=${ids[COUNT - 3]}&limit=2`,
    );
    expect(last.json.interactions).toHaveLength(2);
    expect('next_after' in last.json).toBe(false);
    const tree = await server.call('GET', `/v1/sessions/${session}/trajectory?limit=2`);
    expect(SessionTrajectoryResponse.safeParse(tree.json).error).toBeUndefined();
  });
});

describe('sessions whose newest interactions share a time', () => {
  test('4.5 before with before_id pages through them without loss', async () => {
    const { key } = await server.makeKey('ties');
    const made = await Promise.all(
      Array.from({ length: 12 }, () => server.call('POST', '/v1/interactions', { body: {}, key })),
    );
    const seen: string[] = [];
    for (let query = ''; ; ) {
      const { json } = await server.call('GET', `/v1/sessions?limit=3${query}`, { key });
      if (json.sessions.length === 0) break;
      expect(json.sessions.length).toBeLessThanOrEqual(3);
      seen.push(...json.sessions.map(({ id }: { id: string }) => id));
      const last = json.sessions.at(-1);
      query = `&before=${last.latest_interaction_at}&before_id=${last.id}`;
    }
    expect(seen.toSorted()).toEqual(made.map(({ json }) => json.session_id).toSorted());
  });

  test('4.5 before_id without before is a 422 that asks for before', async () => {
    const answer = await server.call('GET', `/v1/sessions?before_id=${session}`);
    expect(answer.status).toBe(422);
    expect(answer.json.detail[0]).toMatchObject({
      type: 'value_error',
      loc: ['query', 'before_id'],
    });
    expect(answer.json.detail[0].msg).toContain('latest_interaction_at');
  });
});
