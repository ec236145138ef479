import { expect, test } from 'vitest';
import { search } from './support/search-runs.ts';
import { useStubbedServer } from './support/stubbed-server.ts';

const server = useStubbedServer();
const PAGES = Array.from({ length: 12 }, (_, index) => ({ url: `https://a.example/${index}` }));

test.each([
  [{ limit: 2 }, 4, 4],
  [{ max_results: '3' }, 4, 4],
  [{ limit: 9 }, 4, 4],
  [{ limit: 2, numResults: 5 }, 4, 5],
])(
  '2.11 %j with num_results %i: exa has %i rows, since only its own count cuts',
  async (exa, num_results, rows) => {
    server().rows(PAGES, []);
    const block = { providers: { include: ['exa'] }, num_results, provider_overrides: { exa } };
    const found = await search(server(), 'tides', block);
    expect(found.rows('exa')).toHaveLength(rows);
    const sent = { numResults: num_results, ...exa };
    expect(found.run('exa').request_payload.body).toMatchObject(sent);
  },
);
