import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const PAIR = { providers: { include: ['exa', 'brave'] } };
const search = async (query: string, block: object = {}, session_id?: string) =>
  (await server.search({ user_input: { query }, search: { ...PAIR, ...block }, session_id })).json;
const NEW = { merge: true, novelty: 'session' };
type Row = { url: string; rank: number };

describe('novelty', () => {
  test('leaves out of the merged list what the session has seen, and counts it', async () => {
    const first = await search('tidal power', { ...NEW, providers: { include: ['exa'] } });
    expect(first.merged[0]).toMatchObject({ seen: 0 });
    const seen = first.merged[0].rows.map(({ url }: Row) => url);
    const second = await search('tidal power', NEW, first.session_id);
    const rows: Row[] = second.merged[0].rows;
    expect(rows.filter(({ url }) => seen.includes(url))).toEqual([]);
    expect(rows.map(({ rank }) => rank)).toEqual(rows.map((_, index) => index + 1));
    expect(second.merged[0].seen).toBe(seen.length);
    const plain = await search('tidal power', { merge: true });
    expect(plain.merged[0]).not.toHaveProperty('seen');
    expect(rows.length + second.merged[0].seen).toBe(plain.merged[0].rows.length);
    const third = await search('tidal power', NEW, first.session_id);
    expect(third.merged[0].rows).toEqual([]);
    expect(third.preprocessor_runs[0].output_payload.results).toHaveLength(5);
  });

  test('counts pages that were read, but not those that failed', async () => {
    const { merged } = await search('wave power', { merge: true });
    const [one, two] = merged[0].rows.map(({ url }: Row) => url);
    const { json } = await server.fetch({ urls: [one] });
    server.sandbox.inject('*', 'status=500', { path: '/v1/fetch' });
    const again = await search('wave power', NEW, json.session_id);
    const urls = again.merged[0].rows.map(({ url }: Row) => url);
    expect(urls).not.toContain(one);
    expect(urls).toContain(two);
    server.sandbox.clearFaults();
  });

  test('without a merged list is a warning', async () => {
    const { preprocessor_runs: runs } = await search('tides', { novelty: 'session' });
    for (const { output_payload } of runs) {
      expect(output_payload.warnings).toContainEqual(
        expect.objectContaining({ code: 'novelty_ignored' }),
      );
    }
  });

  test('does not see other sessions, or another project', async () => {
    const first = await search('tidal power', NEW);
    expect((await search('tidal power', NEW)).merged[0].seen).toBe(0);
    const { key } = await server.makeKey('other');
    const body = { user_input: { query: 'tides' }, search: NEW, session_id: first.session_id };
    expect((await server.search(body, { key })).status).toBe(404);
  });

  test('of another word is refused', async () => {
    const { status } = await server.search({
      user_input: { query: 'x' },
      search: { novelty: 'all' },
    });
    expect(status).toBe(422);
  });
});
