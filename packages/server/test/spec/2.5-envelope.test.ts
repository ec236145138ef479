import { describe, expect, test } from 'vitest';
import { bodiesTo, callsTo, type Row, search, useServer } from './support/search-runs.ts';
import { useStubbedServer } from './support/stubbed-server.ts';

const server = useServer();
const stubbed = useStubbedServer();
const url = 'https://a.example/';
/** Contains a place, so every kind of block is returned. */
const QUERY = 'harbours near Northmere';

describe('2.5 usage', () => {
  test.each([
    ['extended', { search: { neural: 0.007 } }, 0.007],
    ['max', { search: { neural: 0.007 }, contents: { summary: 0.005 } }, 0.012],
  ] as const)('2.5 usage of exa at %s is the cost it reports', async (tier, units, cost_usd) => {
    const { output } = await search(server(), QUERY, { tier });
    expect(output('exa').usage).toEqual({ requests: 1, units, cost_usd, cost_source: 'reported' });
  });

  test('2.5 usage of brave is null with a gap: it reports neither cost nor units', async () => {
    const { output, warnings } = await search(server(), QUERY, { tier: 'extended' });
    expect(output('brave').usage).toBeNull();
    expect(warnings('brave')).toContainEqual(
      expect.stringMatching(/^capability_gap usage: brave /),
    );
  });

  test('2.5 usage counts each request, the retry included', async () => {
    const { output } = await search(server(), `${QUERY} [[exa:fail-first=1]]`, {
      fields: ['usage'],
    });
    expect(output('exa').usage).toMatchObject({ requests: 2, cost_usd: 0.007 });
  });
});

describe('2.5 answer', () => {
  test('2.5 answer is null with a gap for both, at max and by name', async () => {
    for (const block of [{ tier: 'max' as const }, { fields: ['answer'] }]) {
      const { output, warnings } = await search(server(), QUERY, block);
      for (const slug of ['exa', 'brave']) {
        expect(output(slug).answer).toBeNull();
        expect(warnings(slug)).toContainEqual(
          expect.stringMatching(new RegExp(`^capability_gap answer: ${slug} `)),
        );
      }
    }
    for (const body of bodiesTo(server(), 'exa')) expect(body).not.toHaveProperty('outputSchema');
  });

  test('2.5 answer of exa is {text, citations} when an override asks for it', async () => {
    const { output, warnings } = await search(server(), QUERY, {
      fields: ['answer'],
      include_raw: true,
      provider_overrides: { exa: { outputSchema: { type: 'text' } } },
    });
    const { answer } = output('exa');
    expect(answer?.text).toMatch(/\w/);
    expect(answer?.citations.length).toBeGreaterThan(0);
    for (const citation of answer?.citations ?? []) {
      expect(Object.keys(citation)).toEqual(['url', 'title']);
      expect(citation.url).toMatch(/^https:\/\//);
    }
    expect(warnings('exa')).toEqual([]);
  });
});

describe('2.5 entities and verticals of brave', () => {
  const verticalsOf = (sections: Row) =>
    stubbed().respond('brave', () => ({ body: { type: 'search', ...sections } }));
  const ask = () => search(stubbed(), QUERY, { fields: ['entities', 'verticals', 'related'] });

  test('2.5 verticals: news, videos, discussions, faq and locations, in its own rows', async () => {
    const { run, output } = await search(server(), QUERY, {
      tier: 'max',
      include_raw: true,
      // blocks that a filter names are always there
      provider_overrides: {
        brave: { result_filter: 'web,news,videos,discussions,faq,infobox,locations' },
      },
    });
    const raw = run('brave').raw_payload as Record<string, { results: unknown[] }>;
    const { verticals } = output('brave');
    expect(Object.keys(verticals ?? {}).sort()).toEqual([
      ...['discussions', 'faq', 'locations', 'news', 'videos'],
    ]);
    for (const [name, rows] of Object.entries(verticals ?? {}))
      expect(rows).toEqual(raw[name]?.results);
  });

  test('2.5 verticals: absent and empty sections are left out, null when no block came', async () => {
    verticalsOf({ news: { results: [{ title: 'n' }] }, videos: { results: [] }, faq: null });
    expect((await ask()).output('brave').verticals).toEqual({ news: [{ title: 'n' }] });
    verticalsOf({ videos: { results: [] }, locations: {}, web: { results: [{ url }] } });
    const { output, warnings } = await ask();
    expect(output('brave').verticals).toBeNull();
    // a missing block is not a gap
    expect(warnings('brave')).toEqual([expect.stringMatching(/^capability_gap related: brave /)]);
  });

  test('2.5 related is [] with a gap, the FAQ is in verticals', async () => {
    const faq = { results: [{ question: 'What?', answer: 'That.', title: 'a', url }] };
    verticalsOf({ faq });
    const { output } = await ask();
    expect(output('brave').related).toEqual([]);
    expect(output('brave').verticals).toEqual({ faq: faq.results });
  });

  test('2.5 entities: {name, type, description, url} from the infobox, as a list or alone', async () => {
    const item = {
      title: '<b>Tidal</b> power',
      label: 'Energy &amp; source',
      description: 'Form of hydropower',
      long_desc: 'long',
      url: 'https://wiki.example/tidal',
    };
    const entity = {
      name: 'Tidal power',
      type: 'Energy & source',
      description: 'Form of hydropower',
      url: 'https://wiki.example/tidal',
    };
    for (const results of [[item], item]) {
      verticalsOf({ infobox: { type: 'graph', results } });
      expect((await ask()).output('brave').entities).toEqual([entity]);
    }
  });

  test('2.5 entities: a missing member is null, an entity without a name is left out, no entities are []', async () => {
    verticalsOf({ infobox: { results: [{ title: 'A' }, { title: null }, null, { label: 'x' }] } });
    expect((await ask()).output('brave').entities).toEqual([
      { name: 'A', type: null, description: null, url: null },
    ]);
    verticalsOf({});
    const { output, warnings } = await ask();
    expect(output('brave').entities).toEqual([]);
    expect(warnings('brave').filter((line) => line.includes('entities'))).toEqual([]);
  });
});

describe('2.5 rows: count, order and trim', () => {
  test.each([
    [1, 1],
    [5, 5],
    [10, 10],
    [20, 20],
  ])(
    '2.5 num_results %i is sent per provider and answered with as many rows',
    async (asked, most) => {
      const { rows } = await search(server(), 'tides', { num_results: asked });
      expect(rows('exa')).toHaveLength(Math.min(most, 10));
      expect(rows('brave')).toHaveLength(most);
    },
  );

  test('2.5 num_results is 5 when absent', async () => {
    const { rows } = await search(server(), 'tides');
    expect([rows('exa').length, rows('brave').length]).toEqual([5, 5]);
    expect(bodiesTo(server(), 'exa')).toMatchObject([{ numResults: 5 }]);
  });

  test.each([
    [30, 3, 3],
    [30, 20, 20],
    [2, 5, 2],
    [0, 5, 0],
  ])('2.5 %i rows sent, %i asked: %i answered', async (sent, asked, answered) => {
    const block = { num_results: asked };
    const { rows, warnings } = await search(server(), `tides [[*:rows=${sent}]]`, block);
    expect(rows('exa')).toHaveLength(Math.min(answered, 10));
    expect(rows('brave')).toHaveLength(answered);
    expect(warnings('brave')).toEqual([]);
    expect(rows('brave').map((row) => row.rank)).toEqual(rows('brave').map((_row, i) => i + 1));
  });

  test('2.5 an empty answer has succeeded; its gaps are named and its envelope fields are there', async () => {
    const { answer, output, warnings } = await search(server(), 'tides [[*:empty]]', {
      tier: 'max',
    });
    expect(answer.status).toBe('succeeded');
    for (const slug of ['exa', 'brave']) {
      expect(output(slug)).toMatchObject({ results: [], answer: null, related: [] });
      expect(warnings(slug).length).toBeGreaterThan(3);
    }
    expect(output('exa').usage).toMatchObject({ cost_usd: 0.007 });
    expect(output('brave')).toMatchObject({ entities: [], verticals: null });
  });

  test('2.5 an answer of brave without a web block has found nothing', async () => {
    for (const web of [undefined, null, { results: [] }]) {
      stubbed().respond('brave', () => ({ body: { type: 'search', query: {}, web } }));
      const { run } = await search(stubbed(), 'tides');
      expect(run('brave')).toMatchObject({ status: 'succeeded', output_payload: { results: [] } });
    }
  });
});

test('2.5 the same search twice gives the same envelope except for its time', async () => {
  const [first, second] = [
    await search(server(), QUERY, { tier: 'max' }),
    await search(server(), QUERY, { tier: 'max' }),
  ];
  for (const slug of ['exa', 'brave']) {
    const { latency_ms: _, ...same } = first.output(slug);
    expect(second.output(slug)).toMatchObject(same);
  }
  expect(callsTo(server(), 'exa')).toHaveLength(2);
});
