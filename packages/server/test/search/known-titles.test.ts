import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({});
});
afterAll(() => server.stop());

interface Row {
  readonly url: string;
  readonly title: string | null;
}

const rowsOf = (json: {
  preprocessor_runs: { output_payload: { results: Row[] } }[];
}): readonly Row[] => json.preprocessor_runs.flatMap((run) => run.output_payload.results);

const titleOf = (url: string) => server.server.store.reader.knownTitle(server.projectId, url);

it('knows the titles of the rows of all runs of a search', async () => {
  const { json } = await server.search({ user_input: [{ query: 'cranes' }, { query: 'ships' }] });
  const rows = rowsOf(json).filter(({ title }) => title !== null);
  expect(rows.length).toBeGreaterThan(10);
  const urls = rows.map(({ url }) => url);
  const known = await Promise.all(urls.map(titleOf));
  const last = new Map(rows.map(({ url, title }) => [url, title]));
  expect(known).toEqual(urls.map((url) => last.get(url)));
});

it('knows the titles of rows that were answered without them', async () => {
  const search = { fields: ['url'], num_results: 3 };
  const { json } = await server.search({ user_input: { query: 'quays' }, search });
  const urls = [...new Set(rowsOf(json).map(({ url }) => url))];
  expect(Object.keys(rowsOf(json)[0] ?? {})).not.toContain('title');
  const known = await Promise.all(urls.map(titleOf));
  expect(known).toEqual(urls.map(() => expect.any(String)));
});
