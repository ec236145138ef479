import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function booked(query: string, provider: string) {
  const answer = await server.search({
    user_input: { query },
    search: { providers: { include: [provider] } },
  });
  const rows = await server.server.store.reader.ledger(
    server.projectId,
    answer.json.interaction_id,
  );
  return rows.map(({ calls, costMicros, costSource }) => ({ calls, costMicros, costSource }));
}

test('2.3 linkup: a search that finds nothing is answered with a 400, which costs nothing', async () => {
  expect(await booked('tidal power [[linkup:empty]]', 'linkup')).toEqual([
    { calls: 1, costMicros: 0, costSource: 'price_list' },
  ]);
});

test('2.3 linkup: a search that finds something costs its list price', async () => {
  const [row] = await booked('tidal power', 'linkup');
  expect(row?.costMicros).toBeGreaterThan(0);
});

test('2.3 exa: the cost that it reports is booked', async () => {
  expect(await booked('tidal power', 'exa')).toEqual([
    { calls: 1, costMicros: 7_000, costSource: 'reported' },
  ]);
});

test('2.3 a call that failed after it was sent has no known cost, and a call that was never sent costs nothing', async () => {
  expect(await booked('tidal [[brave:status=500]]', 'brave')).toEqual([
    { calls: 2, costMicros: null, costSource: null },
  ]);
});
