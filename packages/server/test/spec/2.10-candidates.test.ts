import { SEARCH_PROVIDERS, TOPIC_RANKING } from '@trawl/providers';
import { describe, expect, test } from 'vitest';
import { ranFor, routed, useRoutedServer } from './support/routed-server.ts';

const NEWS = ['ceramic', 'serpapi', 'you', 'brave', 'tavily', 'exa'];
const server = useRoutedServer({ news: NEWS });
const roster = SEARCH_PROVIDERS.map(({ slug }) => slug);

describe('2.10 the three that do best on a topic', () => {
  test('2.10 without a providers block: chosen from all providers of the deployment except serpapi', async () => {
    expect(ranFor(await routed(server(), 'news of today'))).toEqual(['ceramic', 'you', 'brave']);
  });

  test.each(Object.entries(TOPIC_RANKING.topics).filter(([topic]) => topic !== 'news'))(
    '2.10 %s: by the ranking, best first',
    async (topic, rows) => {
      const best = rows.map(({ provider }) => provider).filter((slug) => slug !== 'serpapi');
      const answer = await routed(server(), `this is about ${topic}`);
      expect(ranFor(answer)).toEqual(best.slice(0, 3));
      expect(answer.json.routing).toMatchObject([{ topic, providers: best.slice(0, 3) }]);
    },
  );

  test('2.10 candidates that the ranking does not name follow in roster order', async () => {
    const unranked = roster.filter((slug) => !NEWS.includes(slug));
    const exclude = NEWS.filter((slug) => slug !== 'exa');
    const answer = await routed(server(), 'news', { providers: { exclude } });
    expect(ranFor(answer)).toEqual(['exa', ...unranked.slice(0, 2)]);
  });
});

describe('2.10 with providers.include, only those listed', () => {
  test.each([
    [
      ['brave', 'tavily', 'linkup', 'you', 'exa'],
      ['you', 'brave', 'tavily'],
    ],
    [
      ['exa', 'brave'],
      ['brave', 'exa'],
    ],
    [['linkup'], ['linkup']],
    [
      ['linkup', 'ceramic'],
      ['ceramic', 'linkup'],
    ],
  ])('2.10 of %j, %j run', async (include, ran) => {
    const answer = await routed(server(), 'news', { providers: { include } });
    expect(ranFor(answer)).toEqual(ran);
    expect(answer.json.routing).toMatchObject([{ topic: 'news', providers: ran }]);
  });

  test('2.10 naming serpapi there allows it', async () => {
    const include = ['exa', 'brave', 'serpapi', 'you'];
    const answer = await routed(server(), 'news', { providers: { include } });
    expect(ranFor(answer)).toEqual(['serpapi', 'you', 'brave']);
  });

  test('2.10 a name that is listed twice runs once', async () => {
    const include = ['linkup', 'linkup', 'you', 'you'];
    const answer = await routed(server(), 'news', { providers: { include } });
    expect(ranFor(answer)).toEqual(['you', 'linkup']);
  });

  test('2.10 minus what is excluded', async () => {
    const providers = { include: ['exa', 'brave', 'you'], exclude: ['tavily'] };
    expect(ranFor(await routed(server(), 'news', { providers }))).toEqual(['you', 'brave', 'exa']);
  });

  test('2.10 preprocessor_names of an interaction mean the same', async () => {
    const body = {
      user_input: { query: 'news' },
      preprocessor_names: ['exa', 'tavily', 'serpapi', 'brave'],
      search: { auto_routing: 'accuracy' },
    };
    const answer = await server().call('POST', '/v1/interactions', { body });
    expect(ranFor(answer)).toEqual(['serpapi', 'brave', 'tavily']);
  });
});

describe('2.10 with providers.exclude, all providers of the deployment except the list and serpapi', () => {
  test.each([
    [['you'], ['ceramic', 'brave', 'tavily']],
    [
      ['ceramic', 'brave'],
      ['you', 'tavily', 'exa'],
    ],
    [['serpapi'], ['ceramic', 'you', 'brave']],
    // providers are not chosen from the default set
    [
      ['exa', 'brave'],
      ['ceramic', 'you', 'tavily'],
    ],
  ])('2.10 without %j, %j run', async (exclude, ran) => {
    expect(ranFor(await routed(server(), 'news', { providers: { exclude } }))).toEqual(ran);
  });
});

describe('2.10 candidates without a credential', () => {
  const keyless = useRoutedServer(
    { news: NEWS },
    { CERAMIC_API_KEY: undefined, YOU_API_KEY: undefined },
  );

  test('2.10 are left out', async () => {
    expect(ranFor(await routed(keyless(), 'news'))).toEqual(['brave', 'tavily', 'exa']);
  });

  test('2.10 run if they are named, and fail with missing_credential', async () => {
    const include = ['exa', 'ceramic', 'brave', 'tavily'];
    const answer = await routed(keyless(), 'news', { providers: { include } });
    expect(ranFor(answer)).toEqual(['ceramic', 'brave', 'tavily']);
    expect(answer.json.preprocessor_runs[0].error.code).toBe('missing_credential');
    expect(answer.json.status).toBe('partially_succeeded');
  });
});
