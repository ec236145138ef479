import type { JsonObject } from '@trawl/contract';
import { planFields } from '@trawl/providers';
import type { UpstreamRunner } from '@trawl/upstream';
import { expect, test } from 'vitest';
import { createDeployment } from '../../src/deployment/deployment.ts';
import { executeRun } from '../../src/search/execute.ts';
import { planRuns } from '../../src/search/plan.ts';

/** The time that a search of exa gets, with these overrides and this limit of the operator. */
async function timeOf(overrides: JsonObject, timeoutMs?: number): Promise<number | undefined> {
  const deployment = createDeployment({
    defaultSearchProviders: undefined,
    searchFallback: undefined,
    fetchChain: undefined,
    prices: { version: '1', providers: {} },
    providers: { exa: { credentials: ['a-key'], baseUrl: undefined, timeoutMs } },
  });
  const options = { provider_overrides: { exa: overrides } };
  const [plan] = planRuns(
    {
      queries: ['tides'],
      routes: [{ slugs: ['exa'], skipped: [], notes: [] }],
      options,
      fields: planFields(options),
    },
    deployment,
  );
  if (plan === undefined) throw new Error('a search of one provider has no run');
  const given: number[] = [];
  const runner: UpstreamRunner = {
    run: async ({ target }) => {
      given.push(target.timeoutMs);
      throw new Error('not sent');
    },
    close: async () => {},
  };
  const limits = {
    keyId: 'key',
    projectId: 'p',
    signal: new AbortController().signal,
    deadlineAt: 1,
  };
  await expect(executeRun(plan, runner, limits)).rejects.toThrow('not sent');
  return given[0];
}

test.each([
  [{}, 30_000],
  [{ type: 'lite' }, 30_000],
  [{ type: 'deep' }, 90_000],
  [{ type: 'deep-reasoning' }, 90_000],
  [{ outputSchema: { type: 'text' } }, 90_000],
])(
  'a search of exa with %j gets %i ms, so that one that is paid is not cut off',
  async (overrides, ms) => {
    expect(await timeOf(overrides)).toBe(ms);
  },
);

test('an operator who limits the time of exa limits deep searches too', async () => {
  expect(await timeOf({ type: 'deep' }, 5_000)).toBe(5_000);
});
