import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { fetchPages, ledgerOf, type Options, pageAt, type Row } from './support/fetch-tables.ts';
import { useUnclearedServer } from './support/search-runs.ts';

const server = useUnclearedServer();
/** How often a page was asked for, which no other test asks for. */
const calls = (url: string) =>
  server().sandbox.calls.filter(({ body }) => body.includes(url)).length;
/** Long enough for requests sent at the same time to overlap. */
const SLOW = '[[tinyfish:latency=2000]]';

const ledgerLines = async (fetched: readonly { readonly answer: Row }[]) =>
  (
    await Promise.all(fetched.map(({ answer }) => ledgerOf(server(), answer.interaction_id)))
  ).flat();

// almost all of their time is that of the slow provider
describe.concurrent('4.3 equal fetches at the same time', () => {
  // the first page of a server takes longer
  beforeAll(() => fetchPages(server(), pageAt()));

  test('4.3 one call to the provider, one page for all, booked once', async () => {
    const url = pageAt('', SLOW);
    const fetched = await Promise.all(
      Array.from({ length: 5 }, () => fetchPages(server(), url, { tier: 'max' })),
    );
    expect(calls(url)).toBe(1);
    const contents = fetched.map(({ row }) => [row.status, row.content_sha256]);
    expect(new Set(contents.map((one) => one.join())).size).toBe(1);
    expect(contents[0]?.[0]).toBe('succeeded');
    expect(new Set(fetched.map(({ answer }) => answer.interaction_id)).size).toBe(5);
    expect((await ledgerLines(fetched)).sort()).toEqual([
      ...Array(4).fill('tinyfish 0 succeeded'),
      'tinyfish 1 succeeded',
    ]);
  });

  test('4.3 each row has its own URL as sent, and is cut separately', async () => {
    const url = pageAt('', SLOW);
    const [short, tracked] = await Promise.all([
      fetchPages(server(), url, { inline_max_chars: 10 }),
      fetchPages(server(), `${url}&utm_source=mail`),
    ]);
    expect(calls(url)).toBe(1);
    expect([short.row.content.length, short.row.truncated]).toEqual([10, true]);
    expect([tracked.row.truncated, tracked.row.url]).toEqual([false, `${url}&utm_source=mail`]);
  });

  test('4.3 pages of an app are not shared', async () => {
    const url = pageAt('', SLOW);
    await Promise.all([fetchPages(server(), `${url}#/one`), fetchPages(server(), `${url}#/two`)]);
    expect(calls(url)).toBe(2);
  });

  test('2.8 pinned fetches are not shared', async () => {
    const url = pageAt('', '[[exa:latency=2000]]');
    const options = { providers: ['exa'] };
    await Promise.all([fetchPages(server(), url, options), fetchPages(server(), url, options)]);
    expect(calls(url)).toBe(2);
  });

  test('4.3 a failure is shared like a page', async () => {
    const url = pageAt('missing', SLOW);
    const fetched = await Promise.all([fetchPages(server(), url), fetchPages(server(), url)]);
    expect(fetched.map(({ row }) => row.error.code)).toEqual(['not_found', 'not_found']);
    // tinyfish, firecrawl, and one more that confirms
    expect(calls(url)).toBe(3);
  });

  test.each<[string, Options, Options]>([
    ['tier', { tier: 'extended' }, { tier: 'max' }],
    ['format', { content_format: 'text' }, { content_format: 'markdown' }],
  ])('4.3 a fetch with another %s is not shared', async (_, one, other) => {
    const url = pageAt('', SLOW);
    await Promise.all([fetchPages(server(), url, one), fetchPages(server(), url, other)]);
    expect(calls(url)).toBe(2);
  });

  test('4.3 fetches of different projects are not shared', async () => {
    const url = pageAt('', SLOW);
    const { key } = await server().makeKey('neighbour');
    await Promise.all([fetchPages(server(), url), fetchPages(server(), url, {}, {}, { key })]);
    expect(calls(url)).toBe(2);
  });

  test.each(['first', 'second'])(
    '4.3 when the %s of two clients leaves, the other one gets its page, and the call is booked once',
    async (who) => {
      const url = pageAt('', '[[tinyfish:latency=1500]]');
      const leaving = new AbortController();
      const session_id = randomUUID();
      const leave = () =>
        server()
          .fetch({ urls: [url], session_id }, { signal: leaving.signal })
          .catch(() => 'left');
      const stay = () => fetchPages(server(), url);
      const first = who === 'first' ? leave() : stay();
      await vi.waitFor(() => expect(calls(url)).toBe(1), 20_000);
      const second = who === 'first' ? stay() : leave();
      await joined(url);
      leaving.abort();
      const [left, stayed] = who === 'first' ? [first, second] : [second, first];
      expect(await left).toBe('left');
      const { row, answer } = (await stayed) as Awaited<ReturnType<typeof stay>>;
      expect([row.status, row.provider]).toEqual(['succeeded', 'tinyfish']);
      expect(calls(url)).toBe(1);
      const other = await vi.waitFor(async () => {
        const found = await server().call('GET', `/v1/sessions/${session_id}/history`);
        expect(found.status).toBe(200);
        return found.json.interactions[0];
      }, 20_000);
      const lines = [
        ...(await ledgerOf(server(), answer.interaction_id)),
        ...(await ledgerOf(server(), other.id)),
      ];
      expect(lines.filter((line) => line.startsWith('tinyfish 1 '))).toHaveLength(1);
    },
  );
});

/** A request sent after those before it has been answered, so the server has read these as well. */
async function joined(url: string): Promise<void> {
  const answer = await server().fetch({ urls: ['http://localhost/'], metadata: { url } });
  expect(answer.status).toBe(200);
}
