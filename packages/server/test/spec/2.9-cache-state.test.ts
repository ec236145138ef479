import { describe, expect, test } from 'vitest';
import { fetchPage, gapsOfRow, PAGE, pageOf } from './support/fetched-pages.ts';
import { callsTo, useServer } from './support/search-runs.ts';

const VENDORS = ['tinyfish', 'firecrawl', 'parallel', 'tavily', 'exa', 'linkup', 'you', 'jina'];
/** Vendors whose answer has a cache state. */
const TELLING = ['firecrawl', 'exa'];

const server = useServer();

describe.each(VENDORS)('2.9 cache_state of %s', (provider) => {
  test(`2.9 ${provider}: pinned, cache_state is its own value or null with a gap, never from our cache`, async () => {
    for (const _time of [1, 2]) {
      const { row } = await pageOf(server(), provider, PAGE, { no_cache: false });
      const isTelling = TELLING.includes(provider);
      expect(gapsOfRow(row).includes('cache_state')).toBe(!isTelling);
      expect(isTelling ? ['hit', 'miss', null] : [null]).toContain(row.cache_state);
    }
    expect(callsTo(server(), provider)).toHaveLength(2);
  });

  test(`2.9 ${provider}: from our cache the row is a hit, without a gap and otherwise unchanged`, async () => {
    const faults = VENDORS.filter((name) => name !== provider).map(
      (name) => `[[${name}:status=503]]`,
    );
    const url = `https://www.example.com/guides/rope-walks?q=${encodeURIComponent(faults.join(''))}`;
    const first = await fetchPage(server(), url, { tier: 'max' });
    const second = await fetchPage(server(), url, { tier: 'max' });
    expect(callsTo(server(), provider)).toHaveLength(1);
    expect([second.row.cache_state, second.row.provider]).toEqual(['hit', provider]);
    expect(gapsOfRow(second.row)).not.toContain('cache_state');
    for (const field of ['title', 'content', 'content_sha256', 'metadata', 'structured'] as const)
      expect(second.row[field], field).toEqual(first.row[field]);
    expect(
      second.row.provider_chain?.map(({ provider: name, outcome }) => [name, outcome]),
    ).toEqual([['cache', 'answered']]);
  });
});

describe('2.9 cache_state of a vendor that serves its own copy', () => {
  test.each(TELLING)(
    '2.9 %s: without its cache, and pinned, it is a miss, if it reports a state; a hit where the caller accepts a copy',
    async (provider) => {
      const urls = ['solar-kilns', 'rope-walks', 'tidal-power', 'salt-pans'].map(
        (slug) => `https://www.example.com/guides/${slug}`,
      );
      const options = { providers: [provider], no_cache: true };
      const { rows } = await fetchPage(server(), urls, options);
      const states = rows.map(({ cache_state }) => cache_state);
      expect(states).toContain('miss');
      expect(states).not.toContain('hit');
      const pinned = await fetchPage(server(), urls, { providers: [provider] });
      expect(pinned.rows.map(({ cache_state }) => cache_state)).not.toContain('hit');
      const aged = { providers: [provider], max_age_seconds: 86_400 };
      const accepting = await fetchPage(server(), urls, aged);
      expect(accepting.rows.map(({ cache_state }) => cache_state)).toContain('hit');
    },
  );
});
