import { describe, expect, test } from 'vitest';
import { fetchPages, pageAt, type Row, saidOf } from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const hasTitleGap = (row: Row) => /\btitle\b/.test(saidOf(row, 'capability_gap').join());
const LINKUP = { providers: ['linkup'] };

describe('2.9 rule 6: the known title', () => {
  test('2.9 rule 6: for an unknown page linkup gives null and a gap', async () => {
    const { row } = await fetchPages(server(), pageAt(), LINKUP);
    expect([row.title, hasTitleGap(row)]).toEqual([null, true]);
  });

  test('2.9 rule 6: the title of an earlier fetch is used, without a gap', async () => {
    const url = pageAt();
    const first = await fetchPages(server(), url, { providers: ['exa'] });
    expect(first.row.title).toEqual(expect.any(String));
    const { row } = await fetchPages(server(), url, LINKUP);
    expect([row.title, hasTitleGap(row)]).toEqual([first.row.title, false]);
  });

  test('2.9 rule 6: the title of an earlier search row is used', async () => {
    const found = await server().search({
      user_input: { query: 'tidal barrages' },
      search: { providers: { include: ['exa'] } },
    });
    const [hit] = found.json.preprocessor_runs[0].output_payload.results;
    expect(hit.title).toEqual(expect.any(String));
    const { row } = await fetchPages(server(), hit.url, LINKUP);
    expect([row.title, hasTitleGap(row)]).toEqual([hit.title, false]);
  });

  test('2.9 rule 6: pages are compared by their normalized URL', async () => {
    const url = pageAt();
    const first = await fetchPages(server(), `${url}?utm_source=mail`, { providers: ['exa'] });
    const { row } = await fetchPages(server(), `${url}#part`, LINKUP);
    expect([first.row.title, row.title]).toEqual([expect.any(String), first.row.title]);
  });

  test('2.9 rule 6: a page that was fetched without a title adds no known title', async () => {
    const url = pageAt('untitled');
    await fetchPages(server(), url, { providers: ['tavily'] });
    const { row } = await fetchPages(server(), url, LINKUP);
    expect([row.title, hasTitleGap(row)]).toEqual([null, true]);
  });

  test('2.9 rule 6: a title is deleted with the session that it was seen in', async () => {
    const url = pageAt();
    const { answer } = await fetchPages(server(), url, { providers: ['exa'] });
    const deleted = await server().call('DELETE', `/v1/sessions/${answer.session_id}`);
    expect(deleted.status).toBe(204);
    const { row } = await fetchPages(server(), url, LINKUP);
    expect([row.title, hasTitleGap(row)]).toEqual([null, true]);
  });

  test('2.9 rule 6: another project’s titles are not known here', async () => {
    const url = pageAt();
    const { key } = await server().makeKey('neighbour');
    await fetchPages(server(), url, { providers: ['exa'] }, {}, { key });
    const { row } = await fetchPages(server(), url, LINKUP);
    expect([row.title, hasTitleGap(row)]).toEqual([null, true]);
  });

  test('2.9 rule 6: a known title is also shown on a cached page', async () => {
    const other = '[[tinyfish:status=503]][[firecrawl:status=503]][[parallel:status=503]]';
    const url = pageAt('', `${other}[[tavily:status=503]][[exa:status=503]]`);
    const first = await fetchPages(server(), url);
    expect([first.row.provider, first.row.title]).toEqual(['linkup', null]);
    await fetchPages(server(), url, { providers: ['you'] });
    const { row } = await fetchPages(server(), url);
    expect([row.cache_state, row.provider]).toEqual(['hit', 'linkup']);
    expect(row.title).toEqual(expect.any(String));
  });
});
