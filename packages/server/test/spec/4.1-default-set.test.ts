import { describe, expect, test } from 'vitest';
import { NO_KEYS, search, useServer } from './support/search-runs.ts';

/** The set, and the outcome of each of its runs. */
type Expected = readonly (readonly [slug: string, ending: string])[];
const answers = (slug: string) => [slug, 'succeeded'] as const;
const lacksKey = (slug: string) => [slug, 'missing_credential'] as const;

describe.each<[string, Record<string, string | undefined>, Expected]>([
  ['without settings: exa and brave', {}, [answers('exa'), answers('brave')]],
  ['the one of them with a key', { BRAVE_API_KEY: undefined }, [answers('exa')]],
  ['no provider with a key', NO_KEYS, [lacksKey('exa'), lacksKey('brave')]],
  ['a set of one', { DEFAULT_SEARCH_PROVIDERS: 'brave' }, [answers('brave')]],
  [
    'a set in another order',
    { DEFAULT_SEARCH_PROVIDERS: ' brave , exa' },
    [answers('brave'), answers('exa')],
  ],
  ['a name twice', { DEFAULT_SEARCH_PROVIDERS: 'exa,exa' }, [answers('exa')]],
  [
    'an empty value is unset',
    { DEFAULT_SEARCH_PROVIDERS: ' ' },
    [answers('exa'), answers('brave')],
  ],
  [
    'a set whose provider lacks a key is not replaced',
    { DEFAULT_SEARCH_PROVIDERS: 'exa', EXA_API_KEY: undefined },
    [lacksKey('exa')],
  ],
])('4.1 the default set, %s', (_name, env, expected) => {
  const server = useServer({ env });

  test('4.1 a search that names no provider runs the default set of the deployment', async () => {
    const { runs } = await search(server(), ['tides', 'waves']);
    const endings = runs.map((run) => [run.preprocessor_name, run.error?.code ?? run.status]);
    expect(endings).toEqual([...expected, ...expected]);
    const called = new Set(server().sandbox.calls.map((call) => call.vendor));
    expect([...called].sort()).toEqual(
      expected
        .filter(([, ending]) => ending === 'succeeded')
        .map(([slug]) => slug)
        .sort(),
    );
  });

  test('4.8 active_by_default and configured agree with it', async () => {
    const { json } = await server().call('GET', '/v1/preprocessors', { key: null });
    for (const entry of json.preprocessors) {
      const run = expected.find(([slug]) => slug === entry.slug);
      expect(entry.active_by_default).toBe(run !== undefined);
      if (run) expect(entry.configured).toBe(run[1] === 'succeeded');
    }
  });
});

describe('4.1 the default set when exa and brave lack a key and others do not', () => {
  const server = useServer({ env: { EXA_API_KEY: undefined, BRAVE_API_KEY: undefined } });

  test('4.1 it is the first two configured ones in roster order, those that need no key last', async () => {
    const { json } = await server().call('GET', '/v1/preprocessors', { key: null });
    const roster: readonly Entry[] = json.preprocessors;
    const configured = roster.filter((entry) => entry.configured);
    const first = [
      ...configured.filter((entry) => entry.requires_key),
      ...configured.filter((entry) => !entry.requires_key),
    ].slice(0, 2);
    const expected = first.length > 0 ? first.map(({ slug }) => slug) : ['exa', 'brave'];
    const { runs } = await search(server(), 'tides');
    expect(runs.map((run) => run.preprocessor_name)).toEqual(expected);
    const active = roster.filter((entry) => entry.active_by_default).map(({ slug }) => slug);
    expect(active.sort()).toEqual(expected.sort());
  });
});

interface Entry {
  readonly slug: string;
  readonly configured: boolean;
  readonly requires_key: boolean;
  readonly active_by_default: boolean;
}

describe('4.1 a default set of only unknown names', () => {
  const server = useServer({ env: { DEFAULT_SEARCH_PROVIDERS: 'nimbus' } });

  test('4.1 no provider is left to run: a 400 that lists the providers; include still works', async () => {
    const { status, json } = await server().search({ user_input: { query: 'tides' } });
    expect(status).toBe(400);
    expect(json.detail).toContain('exa, brave');
    const { runs } = await search(server(), 'tides', { providers: { include: ['exa'] } });
    expect(runs.map((run) => run.status)).toEqual(['succeeded']);
  });
});
