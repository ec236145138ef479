import { Exa, ExaError } from 'exa-js';
import { describe, expect, test } from 'vitest';
import { useSandbox } from './support.ts';

const sandbox = useSandbox();
const client = (key = 'test-key') => new Exa(key, sandbox().baseUrl('exa'));
const QUERY = 'node 20 release notes';

/** The official client's error for a failing search. */
async function errorOf(run: Promise<unknown>): Promise<ExaError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ExaError) return error;
  throw new Error(`expected an ExaError, got ${String(error)}`);
}

describe('the official exa client', () => {
  test('parses a search without contents', async () => {
    const answer = await client().search(QUERY, { type: 'auto', numResults: 5, contents: false });
    expect(answer.results).toHaveLength(5);
    expect(answer.requestId).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.costDollars?.total).toBe(0.007);
    expect(sandbox().calls.at(-1)?.json()).toEqual({ query: QUERY, type: 'auto', numResults: 5 });
  });

  test('parses every content field it can ask for', async () => {
    const contents = {
      text: true,
      highlights: true,
      summary: { query: QUERY },
      extras: { links: 10, imageLinks: 10 },
    } as const;
    const { results } = await client().search(QUERY, { type: 'auto', numResults: 5, contents });
    expect(results).toHaveLength(5);
    for (const row of results) {
      expect(row.text.length).toBeGreaterThan(1_000);
      expect(row.highlights.length).toBeGreaterThan(0);
      expect(row.summary).toEqual(expect.any(String));
      expect(row.extras.links).toHaveLength(10);
    }
    expect(sandbox().calls.at(-1)?.json()).toEqual({
      query: QUERY,
      type: 'auto',
      numResults: 5,
      contents,
    });
  });

  test('may be called with its own defaults', async () => {
    const { results } = await client().search(QUERY);
    expect(results).toHaveLength(10);
    expect(sandbox().calls.at(-1)?.json()).toEqual({
      query: QUERY,
      contents: { text: { maxCharacters: 10_000 } },
    });
  });

  test('parses synthesized output', async () => {
    const { output } = await client().search(QUERY, {
      outputSchema: { type: 'text' },
      contents: false,
    });
    expect(output?.content).toEqual(expect.any(String));
    expect(output?.grounding[0]?.citations.length).toBeGreaterThan(0);
  });

  test('opts into beta features with its header', async () => {
    const contents = { highlights: { dynamic: true } } as const;
    const beta = { betas: ['dynamic-highlights-2026-08-28'] };
    expect((await client().search(QUERY, { contents, ...beta })).results).toHaveLength(10);
    expect((await errorOf(client().search(QUERY, { contents }))).statusCode).toBe(400);
  });

  test.each([400, 401, 402, 403, 422, 429, 500, 502, 503])(
    'raises ExaError with status %i',
    async (status) => {
      const error = await errorOf(
        client().search(`${QUERY} [[exa:status=${status}]]`, { contents: false }),
      );
      expect(error.statusCode).toBe(status);
      expect(error.message).toMatch(/^The .+/);
      if (status !== 429) expect(error.requestId).toMatch(/^[0-9a-f]{32}$/);
      expect(sandbox().calls).toHaveLength(1);
    },
  );

  test.each([
    ['bad-key', 401],
    ['quota-key', 402],
  ])('raises ExaError for the key %s', async (key, status) => {
    const error = await errorOf(client(key).search(QUERY, { contents: false }));
    expect(error.statusCode).toBe(status);
  });

  test.each(['not-json', 'broken-json'])('raises ExaError for a body that is %s', async (fault) => {
    const error = await errorOf(client().search(`${QUERY} [[exa:${fault}]]`, { contents: false }));
    expect(error.statusCode).toBe(200);
  });
});
