import { describe, expect, test } from 'vitest';
import { search, useServer } from '../spec/support/search-runs.ts';

const server = useServer();
const MODES = ['exa', 'parallel', 'perplexity', 'linkup'];

const bodyOf = (slug: string) => {
  const call = server().sandbox.calls.findLast(({ vendor }) => vendor === slug);
  return call?.json() as Record<string, unknown>;
};

const dryRun = async (more: object) => {
  const body = { user_input: { query: 'tides' }, search: { tier: 'max', num_results: 5, ...more } };
  const { json } = await server().call('POST', '/v1/search?dry_run=true', { body });
  return Object.fromEntries(
    json.calls.map(({ provider, cost_usd }: Record<string, unknown>) => [provider, cost_usd]),
  );
};

describe('search.economy', () => {
  test('asks for the cheapest mode of each vendor, and the others as before', async () => {
    const include = [...MODES, 'brave'];
    const options = { providers: { include }, tier: 'max', economy: true } as const;
    const found = await search(server(), 'tides', options);
    expect(include.map((slug) => found.run(slug).status)).toEqual(include.map(() => 'succeeded'));
    expect(bodyOf('exa').type).toBe('lite');
    expect(bodyOf('parallel').mode).toBe('fast');
    expect(bodyOf('perplexity').search_type).toBe('fast');
    expect(bodyOf('linkup').depth).toBe('standard');
    expect(found.warnings('exa')).toContainEqual(
      expect.stringContaining('exa writes none with type lite'),
    );
  });

  test('lowers the price of the plan, and what is booked', async () => {
    const providers = { include: MODES };
    expect(await dryRun({ providers })).toEqual({
      exa: 0.012,
      parallel: 0.005,
      perplexity: 0.005,
      linkup: 0.05,
    });
    expect(await dryRun({ providers, economy: true })).toEqual({
      exa: 0.004,
      parallel: 0.001,
      perplexity: 0.001,
      linkup: 0.005,
    });
  });

  test('gives way to an override of the same parameter', async () => {
    await search(server(), 'tides', {
      providers: { include: ['exa', 'linkup'] },
      economy: true,
      provider_overrides: { exa: { type: 'deep' }, linkup: { depth: 'flash' } },
    });
    expect(bodyOf('exa').type).toBe('deep');
    expect(bodyOf('linkup').depth).toBe('flash');
  });

  test('must be true or false', async () => {
    const body = { user_input: { query: 'tides' }, search: { economy: 'yes' } };
    const { status, json } = await server().search(body);
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'search', 'economy']]);
  });
});
