import { FILTERS } from '@trawl/contract';
import { SEARCH_PROVIDERS } from '@trawl/providers';
import { describe, expect, test } from 'vitest';
import { type Search, search, useServer } from './support/search-runs.ts';

const server = useServer();

/** A source with rows of its own hosts only is left out of a search that is also for others. */
const GENERAL = SEARCH_PROVIDERS.filter(({ hosts }) => hosts === undefined).map(({ slug }) => slug);

/** Each set of filters is asked once, of all providers with rows of any host. */
const answers = new Map<string, Promise<Search>>();
function ask(filters: object, include: readonly string[]): Promise<Search> {
  const name = JSON.stringify([filters, include]);
  const answer =
    answers.get(name) ??
    search(server(), 'tidal power', {
      providers: { include },
      fields: ['url', 'publish_date', 'source'],
      num_results: 10,
      filters,
    });
  answers.set(name, answer);
  return answer;
}

/** The sandbox refuses what the vendors' documents do not have, and filters as they say. */
describe.each(SEARCH_PROVIDERS.map(({ slug, hosts }) => [slug, hosts] as const))(
  '9 filters of %s',
  (slug, own) => {
    async function found(filters: object) {
      const answer = await ask(filters, own ? [slug] : GENERAL);
      const rows = answer.rows(slug).map(({ url, publish_date: date }) => ({
        host: new URL(String(url)).hostname,
        day: typeof date === 'string' ? date.slice(0, 10) : null,
      }));
      return { ...answer.output(slug), rows };
    }

    test.each([
      ['one host', ['example.org']],
      ['several hosts', ['example.org', 'signal.example.net']],
    ])('9 filters: rows of %s, subdomains included', async (_name, hosts) => {
      const { rows, filters } = await found({ include_domains: hosts });
      // a source that has rows of its own hosts only has none of these
      expect(rows.length > 0).toBe(own === undefined);
      const isOf = (host: string) => hosts.some((one) => host === one || host.endsWith(`.${one}`));
      expect(rows.filter(({ host }) => !isOf(host))).toEqual([]);
      expect(['native', 'query', 'checked']).toContain(filters?.include_domains);
    });

    test('9 filters: no rows of excluded hosts', async () => {
      const { rows, filters } = await found({ exclude_domains: ['example.com', 'example.net'] });
      expect(rows.length).toBeGreaterThan(0);
      const other = ({ host }: (typeof rows)[number]) => /example\.(?:com|net)$/.test(host);
      expect(rows.filter(other)).toEqual([]);
      expect(['native', 'query', 'checked']).toContain(filters?.exclude_domains);
    });

    test('9 filters: no row outside the days, where the provider can do that', async () => {
      const days = { published_after: '2023-01-01', published_before: '2025-12-31' };
      const { rows, filters } = await found(days);
      expect(Object.keys(filters ?? {})).toEqual(['published_after', 'published_before']);
      const applied = Object.values(filters ?? {}).every((method) => method !== 'unsupported');
      const isOutside = ({ day }: (typeof rows)[number]) =>
        // a year or a month is inside if any of its days is
        day !== null && (day.padEnd(10, '~') < days.published_after || day > days.published_before);
      if (applied) expect(rows.filter(isOutside)).toEqual([]);
      else expect(rows.every(({ day }) => day === null)).toBe(true);
    });

    test('9 filters: all at once are accepted', async () => {
      const all = {
        include_domains: ['example.com'],
        published_after: '2020-01-01',
        published_before: '2026-06-30',
        country: 'DE',
        language: 'de',
        safe_search: 'strict',
      };
      const { filters, warnings } = await found(all);
      expect(Object.keys(filters ?? {}).sort()).toEqual(Object.keys(all).sort());
      const missing = FILTERS.filter((name) => filters?.[name] === 'unsupported');
      const said = warnings.filter(({ code }) => code === 'filter_unsupported');
      expect(said.map(({ message }) => message.split(':')[0])).toEqual(missing);
    });
  },
);
