import { startTestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { expect, test } from 'vitest';
import { asLine } from './support/search-runs.ts';

const BYTES = 18 * 1024 * 1024;

test('4.3: pages that do not fit into one answer fail, and the others are returned', async () => {
  const body = 'A line of a very long list.\n'.repeat(BYTES / 28);
  const site = await serveHttp((response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(body),
  );
  const { host } = new URL(site.url);
  const server = await startTestServer({ env: { FETCH_ALLOW_PRIVATE_HOSTS: host } });
  try {
    const { status, json } = await server.fetch({
      urls: ['/a', '/b'].map((path) => `http://${host}${path}`),
      options: { providers: ['direct'], tier: 'extended', inline_max_chars: 1e9 },
    });
    expect(status).toBe(200);
    const rows = json.preprocessor_runs[0].output_payload.fetched_results;
    const [whole, late] = [...rows].sort((a, b) => b.status.localeCompare(a.status));
    expect([whole.status, whole.truncated, whole.content_length]).toEqual([
      ...['succeeded', false],
      body.length - 1,
    ]);
    expect(late).toMatchObject({ status: 'failed', content: null, raw_html: null });
    expect(late.error).toMatchObject({ code: 'too_large', attempts: 1, retryable: false });
    expect(late.provider_chain).toMatchObject([{ provider: 'direct', outcome: 'answered' }]);
    expect(late.warnings.map(asLine)).toEqual([]);
    const query = `session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
    const read = await server.call('GET', `/v1/interactions?${query}`);
    expect(read.json.preprocessor_runs).toEqual(json.preprocessor_runs);
  } finally {
    await server.stop();
  }
}, 60_000);
