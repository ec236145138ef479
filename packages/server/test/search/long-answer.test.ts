import { startTestServer } from '@trawl/test-support/harness';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, onTestFinished, test } from 'vitest';

test('of 100,000 rows the first are read, and a warning says so', async () => {
  const results = Array.from({ length: 100_000 }, (_, index) => ({
    title: `Page ${index}`,
    url: `https://www.example.com/${index}`,
  }));
  const vendor = await serveHttp((response) => sendJson(response, { web: { results } }));
  const server = await startTestServer({ env: { BRAVE_BASE_URL: vendor.url } });
  onTestFinished(() => server.stop());
  const { json } = await server.search({
    user_input: { query: 'tides' },
    search: { providers: { include: ['brave'] }, num_results: 3 },
  });
  const [{ output_payload: output }] = json.preprocessor_runs;
  expect(output.results.map(({ title }: { title: string }) => title)).toEqual([
    'Page 0',
    'Page 1',
    'Page 2',
  ]);
  expect(output.warnings).toContainEqual({
    code: 'upstream_warning',
    message: 'results: brave sent a list of 100000 items, of which only the first were read',
  });
});
