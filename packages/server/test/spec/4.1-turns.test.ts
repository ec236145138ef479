import { expect, test, vi } from 'vitest';
import { startVendorStub, type VendorReply } from '../support/vendor-stub.ts';

const ROW = { url: 'https://example.com/a', title: 'A' };
/** The number of calls that trawl sends to you at once. */
const SLOTS = 10;
const BATCH = 32;

/** A server whose provider `you` answers when the test says so, and exa at once. */
async function heldServer() {
  const server = await startVendorStub(['you', 'exa'], { DEFAULT_SEARCH_PROVIDERS: 'you' });
  const held: (() => void)[] = [];
  const found: VendorReply = { body: { results: { web: [ROW] } } };
  server.reply(
    'you /v1/search',
    () => new Promise<VendorReply>((resolve) => held.push(() => resolve(found))),
  );
  server.reply('exa /search', { body: { results: [ROW] } });
  return {
    server,
    held,
    burst: (name: string) => {
      const user_input = Array.from({ length: BATCH }, (_, at) => ({ query: `${name} ${at}` }));
      return server.search({ user_input });
    },
    /** Sent to both providers at once: when exa has its call, the other one waits for a slot. */
    single: (key: string) => {
      const search = { providers: { include: ['you', 'exa'] } };
      return server.search({ user_input: { query: 'the other key' }, search }, { key });
    },
  };
}

test('4.1 a search of one key waits for one turn, not for the burst of another key', async () => {
  const { server, held, burst, single } = await heldServer();
  const other = await server.makeKey('other');
  const bursts = [burst('first'), burst('second')];
  await vi.waitFor(() => expect(held).toHaveLength(SLOTS));
  const asked = single(other.key);
  await vi.waitFor(() => expect(server.calls('exa /search')).toBe(1));
  for (let released = 1; released <= 2; released += 1) {
    held.shift()?.();
    await vi.waitFor(() => expect(server.calls('you /v1/search')).toBe(SLOTS + released));
  }
  const sent = server.received.filter(({ endpoint }) => endpoint === 'you /v1/search');
  expect(sent.slice(-2).some(({ text }) => text.includes('the other key'))).toBe(true);

  const answers = Promise.all([asked, ...bursts]);
  for (let answered = 2; answered < 2 * BATCH + 1; answered += 1) {
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(0));
    held.shift()?.();
  }
  const statuses = (await answers).map(({ json }) => json.status);
  expect(statuses).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(server.logged()).not.toContain('cools down');
});

test('4.1 a search whose time ends in the queue: not sent, costs nothing, and the provider is not blamed', async () => {
  const server = await startVendorStub(['you'], {
    DEFAULT_SEARCH_PROVIDERS: 'you',
    REQUEST_DEADLINE_MS: '1500',
  });
  server.reply('you /v1/search', () => new Promise(() => {}));
  const user_input = Array.from({ length: 2 * SLOTS }, (_, at) => ({ query: `tides ${at}` }));
  const { json, text } = await server.search({ user_input });
  expect(json.status, text).toBe('failed');
  const unsent = json.preprocessor_runs.slice(SLOTS);
  for (const { error, latency_ms } of unsent) {
    expect(error).toMatchObject({ code: 'timeout', http_status: null, retryable: true });
    expect(error.message).toMatch(
      /^you was not asked: all 10 slots of this server for its search were taken/,
    );
    expect(latency_ms).toEqual(expect.any(Number));
  }
  expect(server.calls('you /v1/search')).toBe(SLOTS);
  const ledger = await server.server.store.reader.ledger(server.projectId, json.interaction_id);
  const booked = ledger.map(({ calls, costMicros }) => `${calls} ${costMicros}`);
  expect(booked.filter((row) => row === '0 0')).toHaveLength(unsent.length);
  expect(server.logged()).not.toContain('cools down');
});
