import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUERY, type SpecServer, slugsOf, startSpecServer } from './support/server.ts';

/**
 * exa alone runs by default; the others can be chosen by auto-routing. Topics stay undetermined:
 * the endpoint does not exist.
 */
let server: SpecServer;
let candidates: string[];
beforeAll(async () => {
  server = await startSpecServer({
    env: { DEFAULT_SEARCH_PROVIDERS: 'exa', TOPIC_EMBEDDINGS_URL: 'http://127.0.0.1:9' },
  });
  const { json } = await server.call('GET', '/v1/preprocessors');
  candidates = json.preprocessors
    .filter((entry: Record<string, unknown>) => entry.auto_routable && entry.configured)
    .map((entry: { slug: string }) => entry.slug);
});
afterAll(() => server.stop());

const auto_routing = 'accuracy';
const outside = (slug: string) =>
  `search.provider_overrides: ${slug} does not run in this request; add it to search.providers.include or leave its overrides out`;

describe('2.11 overrides with auto-routing', () => {
  test('2.11 any candidate may be overridden, even if it does not run', async () => {
    for (const slug of candidates) {
      const search = { auto_routing, provider_overrides: { [slug]: {} } };
      const answer = await server.search({ user_input: QUERY, search });
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test('2.11 without it, only providers that run may be overridden', async () => {
    const search = { provider_overrides: { brave: {} } };
    await server.expectRefusal('/v1/search', { user_input: QUERY, search }, 400, outside('brave'));
  });

  test.each([
    [{ include: ['exa'] }, undefined],
    [{ exclude: ['brave'] }, undefined],
    [undefined, ['exa']],
  ])('2.11 providers that %j or the names %j leave out are not candidates', (providers, names) =>
    server.expectRefusal(
      '/v1/interactions',
      {
        user_input: QUERY,
        preprocessor_names: names,
        search: { auto_routing, providers, provider_overrides: { brave: {} } },
      },
      400,
      outside('brave'),
    ),
  );
});

describe('2.2 the set to run with auto-routing', () => {
  test('2.2 providers: with the default set excluded, the first three candidates run', async () => {
    const search = { auto_routing, providers: { exclude: ['exa'] } };
    const answer = await server.search({ user_input: QUERY, search });
    expect(answer.status, answer.text).toBe(200);
    expect(slugsOf(answer)).toEqual(candidates.filter((slug) => slug !== 'exa').slice(0, 3));
  });

  test('2.2 providers: without auto-routing that is an empty set', () =>
    server.expectRefusal(
      '/v1/search',
      { user_input: QUERY, search: { providers: { exclude: ['exa'] } } },
      400,
      `search.providers: no provider is left to run; ${server.available}`,
    ));

  test.each(['include', 'exclude'])(
    '2.2 providers: %s that leaves no candidate is an empty set',
    (list) => {
      const providers = { [list]: list === 'include' ? [] : allSlugs() };
      return server.expectRefusal(
        '/v1/search',
        { user_input: QUERY, search: { auto_routing, providers } },
        400,
        `search.providers: no provider is left to run; ${server.available}`,
      );
    },
  );
});

const allSlugs = () => server.available.replace('available providers: ', '').split(', ');
