import { startSite } from '@trawl/sandbox';
import { startTestServer } from '@trawl/test-support/harness';
import { expect, test } from 'vitest';

test('the reader follows the page, through the same guard', async () => {
  const site = await startSite();
  const server = await startTestServer({
    env: { FETCH_ALLOW_PRIVATE_HOSTS: new URL(site.url).host },
  });
  const answer = await server.fetch({
    urls: [`${site.url}/meta-refresh`],
    options: { providers: ['direct'] },
  });
  const [row] = answer.json.preprocessor_runs[0].output_payload.fetched_results;
  expect(row.status).toBe('succeeded');
  expect(row.content).not.toContain('Moved.');
  expect(row.canonical_url).not.toContain('meta-refresh');
  await server.stop();
  await site.stop();
});
