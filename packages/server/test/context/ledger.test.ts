import { byForm } from '@trawl/test-support/form';
import { startTestServer } from '@trawl/test-support/harness';
import { expect, onTestFinished, test } from 'vitest';

const CONTEXTS = byForm({ small: 6, full: 70 });
const BODY = {
  max_pages: 6,
  search: { providers: { include: ['exa', 'brave', 'tavily'] } },
  fetch: { no_cache: true },
};

test(`the price before ${CONTEXTS} contexts is that of the ledger after them`, async () => {
  const server = await startTestServer({ env: { FETCH_CHAIN: 'exa,jina' } });
  onTestFinished(() => server.stop());
  let before = 0;
  let after = 0;
  for (let number = 0; number < CONTEXTS; number += 1) {
    const body = { ...BODY, query: `tidal power number ${number}` };
    before += (await server.call('POST', '/v1/context?dry_run=true', { body })).json.total_usd;
    const { status, json } = await server.call('POST', '/v1/context', { body });
    expect(status).toBe(200);
    after += json.cost_usd;
  }
  const { json } = await server.call('GET', '/v1/usage?group_by=provider');
  const sum = (name: string) =>
    json.rows.reduce((total: number, row: Record<string, number>) => total + (row[name] ?? 0), 0);
  console.log(
    `${sum('calls')} calls: $${before.toFixed(4)} before, $${after.toFixed(4)} answered, $${sum('cost_usd').toFixed(4)} in the ledger`,
  );
  expect(after).toBeCloseTo(sum('cost_usd'), 6);
  expect(after).toBeLessThanOrEqual(before + 1e-9);
  expect(after).toBeGreaterThan(0.9 * before);
}, 300_000);
