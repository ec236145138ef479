import { expect, test } from 'vitest';
import { createMetrics } from '../src/metrics/metrics.ts';
import { summedText } from '../src/metrics/registry.ts';

const REQUEST = { method: 'POST', route: '/v1/search', status: 200, milliseconds: 300 };

test('the metrics of several processes are added up', async () => {
  const processes = [createMetrics({ version: '1.2.3' }), createMetrics({ version: '1.2.3' })];
  for (const { answered } of processes) answered(REQUEST);
  const sent = await Promise.all(processes.map(({ snapshot }) => snapshot()));
  // as it arrives from another process
  const text = await summedText(JSON.parse(JSON.stringify(sent)));
  expect(text).toMatch(/^http_server_request_duration_seconds_count\{.*"\/v1\/search".*\} 2$/m);
  expect(text).toMatch(/^http_server_request_duration_seconds_sum\{.*\} 0\.6$/m);
  expect(text).toContain('trawl_build_info{version="1.2.3"} 1');
});
