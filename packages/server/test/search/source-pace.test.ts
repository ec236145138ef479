import { describe, expect, test } from 'vitest';
import { NO_KEYS, useServer } from '../spec/support/search-runs.ts';

describe('a burst of searches', () => {
  const server = useServer({
    env: { ...NO_KEYS, KEYLESS_SEARCH: 'on', SOURCE_PACE: 'on', REQUEST_DEADLINE_MS: '4500' },
  });

  test('keeps each source within its pace, fails what comes too late at once, and delays no other source', async () => {
    const ask = async (slug: string) => {
      const { json } = await server().search({
        user_input: { query: 'tidal power' },
        search: { providers: { include: [slug] } },
      });
      const [run] = json.preprocessor_runs;
      return run.error;
    };
    const wikipediaCalls = () =>
      server().sandbox.calls.filter(({ vendor }) => vendor === 'wikipedia');
    const startedAt = Date.now();
    const burst = Promise.all(Array.from({ length: 100 }, () => ask('wikipedia')));
    expect(await ask('hackernews')).toBeNull();
    const askedBefore = wikipediaCalls().length;
    const late = (await burst).filter((error) => error !== null);
    expect(late.length).toBeGreaterThan(90);
    for (const error of late) {
      expect([error.code, error.retry_after_ms > 500]).toEqual(['rate_limited', true]);
    }
    const times = wikipediaCalls().map(({ at }) => at);
    // the other source did not wait for the end of the burst
    expect(askedBefore).toBeLessThan(times.length);
    // from the start: a slow machine makes a call late, and none early
    for (const [turn, at] of times.entries())
      expect(at - startedAt).toBeGreaterThan(turn * 950 - 1);
  });
});
