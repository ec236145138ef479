import { expect, test } from 'vitest';
import { search, useServer } from './support/search-runs.ts';

const server = useServer();
const SAID = (slug: string) =>
  `capability_gap query: ${slug} was sent the one of provider_overrides instead`;

test.each([
  ['exa', { query: 'wave power' }],
  ['brave', { q: 'wave power' }],
  ['parallel', { search_queries: ['wave power'] }],
  ['tavily', { query: 'wave power' }],
])('2.11 %s with %j: the run warns that another query was sent', async (slug, block) => {
  const found = await search(server(), 'tidal power', {
    providers: { include: [slug] },
    provider_overrides: { [slug]: block },
  });
  expect(found.warnings(slug)).toContain(SAID(slug));
});

test('2.11 overrides that do not change the query add no warning', async () => {
  const found = await search(server(), 'tidal power', {
    providers: { include: ['exa', 'tavily'] },
    provider_overrides: { exa: { type: 'auto' }, tavily: { query: 'tidal power' } },
  });
  for (const slug of ['exa', 'tavily']) expect(found.warnings(slug)).not.toContain(SAID(slug));
});
