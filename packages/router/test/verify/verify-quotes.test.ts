import { at } from '@trawl/test-support/records';
import { describe, expect, it } from 'vitest';
import type { StoredInteraction } from '../../src/interaction/records.ts';
import { verifyQuotes } from '../../src/verify/verify-quotes.ts';
import { fetched, found, storedInteraction } from '../support/stored.ts';

type Finder = Parameters<typeof verifyQuotes>[2];

const SESSION = {
  id: 's',
  createdAt: at(0),
  updatedAt: at(0),
  interactionCount: 1,
  deletedCount: 2,
  latestInteractionAt: at(0),
};
const signal = new AbortController().signal;

/** Finds a text as it is: weights and thresholds are the business of the reader. */
function plainFinder() {
  const calls: { texts: number; quotes: number; known: number }[] = [];
  const finder: Finder = {
    find: async (texts, quotes) => {
      const known = quotes.filter(({ best }) => best !== null).length;
      calls.push({ texts: texts.length, quotes: quotes.length, known });
      return quotes.map(({ text: wanted, address, best }) => {
        if (best !== null) return null;
        const index = texts.findIndex(
          ({ text, addresses }) =>
            text.includes(wanted) && (address === null || addresses.includes(address)),
        );
        const text = texts[index];
        if (text === undefined) return null;
        const offset = text.text.indexOf(wanted);
        const match = {
          status: 'exact',
          distance: 0,
          weight: text.weight,
          passage: wanted,
        } as const;
        return { ...match, index, offset, sha256: `hash of ${text.text.length}` };
      });
    },
  };
  return { finder, calls };
}

async function verify(
  interactions: readonly StoredInteraction[],
  quotes: readonly (string | { text: string; url?: string })[],
  finder: Finder = plainFinder().finder,
  more: Partial<ReturnType<Parameters<typeof verifyQuotes>[3]['limits']>> = {},
) {
  let steps = 0;
  const answer = await verifyQuotes(
    {
      session_id: 's',
      quotes: quotes.map((one) => (typeof one === 'string' ? { text: one } : one)),
    },
    {
      session: SESSION,
      interactions: (async function* () {
        // two at a time, as the store reads them
        for (let from = 0; from < interactions.length; from += 2) {
          yield interactions.slice(from, from + 2);
        }
      })(),
    },
    finder,
    {
      limits: () => ({ callerId: 'key', signal, timeoutMs: 1_000, ...more }),
      onStep: async () => {
        steps += 1;
      },
    },
  );
  expect(steps).toBe(interactions.length);
  return answer;
}

const page = (given: object) => ({
  url: 'https://example.com/page',
  status: 'succeeded',
  title: null,
  content: null,
  ...given,
});

describe('a quote that is found', () => {
  it('in a passage is at its place in the page, of which only passages were recorded', async () => {
    const stored = storedInteraction({
      id: 'fetch',
      completedAt: at(7),
      runs: [
        {
          id: 'chain',
          output_payload: fetched([
            page({ url: 'https://example.com/other' }),
            page({
              passages: [
                { text: 'at the start', offset: 0, score: 1 },
                { text: 'far below it is written', offset: 5_000, score: 0.5 },
              ],
              publish_date: '2026-01-02',
              content_sha256: 'of the whole page',
            }),
          ]),
        },
      ],
    });
    const { quotes } = await verify([stored], ['below it', 'start', 'not there']);
    expect(quotes[0]).toEqual({
      status: 'exact',
      distance: 0,
      interaction_id: 'fetch',
      run_id: 'chain',
      row: 2,
      url: 'https://example.com/page',
      field: 'passages',
      offset: 5_004,
      passage: 'below it',
      retrieved_at: at(7),
      publish_date: '2026-01-02',
      content_sha256: 'of the whole page',
    });
    expect(quotes[1]).toMatchObject({ status: 'exact', offset: 7 });
    expect(quotes[2]).toEqual({
      status: 'not_found',
      distance: null,
      interaction_id: null,
      run_id: null,
      row: null,
      url: null,
      field: null,
      offset: null,
      passage: null,
      retrieved_at: null,
      publish_date: null,
      content_sha256: null,
    });
  });

  it('in any text of a search has its run, row and field', async () => {
    const results = [
      { url: 'https://a.example/', title: 'first title', excerpt: 'first excerpt' },
      {
        url: 'https://b.example/',
        title: 'second title',
        summary: 'second summary',
        full_content: 'the second in full',
        publish_date: '2025-05-05',
      },
    ];
    const stored = storedInteraction({
      runs: [
        { id: 'r0', output_payload: null },
        { id: 'r1', output_payload: found(results, 'an answer in words') },
      ],
    });
    const { quotes, texts, interactions } = await verify(
      [stored],
      ['first title', 'first excerpt', 'second summary', 'in full', 'in words'],
    );
    expect(
      quotes.map(({ run_id, row, field, offset, url }) => [run_id, row, field, offset, url]),
    ).toEqual([
      ['r1', 1, 'title', 0, 'https://a.example/'],
      ['r1', 1, 'excerpt', 0, 'https://a.example/'],
      ['r1', 2, 'summary', 0, 'https://b.example/'],
      ['r1', 2, 'full_content', 11, 'https://b.example/'],
      ['r1', null, 'answer', 10, null],
    ]);
    expect(quotes[3]).toMatchObject({
      publish_date: '2025-05-05',
      // not recorded for a row: that of the text itself
      content_sha256: 'hash of 18',
    });
    expect({ texts, interactions }).toEqual({ texts: 6, interactions: 1 });
  });

  it('is looked for at the URLs of a page, in whatever form, when it names one', async () => {
    const stored = storedInteraction({
      runs: [
        {
          output_payload: fetched([
            page({ content: 'the same words', url: 'https://a.example/' }),
            page({ content: 'the same words', canonical_url: 'https://b.example/x' }),
          ]),
        },
      ],
    });
    const { quotes } = await verify(
      [stored],
      [
        { text: 'same', url: 'https://B.example/x#part' },
        { text: 'same', url: 'https://c.example/' },
        { text: 'same' },
      ],
    );
    expect(quotes.map(({ row }) => row)).toEqual([2, null, 1]);
    expect(quotes[0]?.url).toBe('https://example.com/page');
  });
});

describe('many quotes in long texts', () => {
  const long = (name: string, length = 400_000) =>
    storedInteraction({
      id: name,
      runs: [{ output_payload: fetched([page({ content: `${name} `.padEnd(length, '.') })]) }],
    });

  it('are looked for in turns, and each has its own finding', async () => {
    const { finder, calls } = plainFinder();
    const wanted = Array.from({ length: 100 }, (_, n) => (n === 99 ? 'last' : `absent ${n}`));
    const { quotes } = await verify([long('last')], wanted, finder);
    expect(quotes.map(({ status }) => status)).toEqual([...Array(99).fill('not_found'), 'exact']);
    expect(calls).toEqual([
      { texts: 1, quotes: 50, known: 0 },
      { texts: 1, quotes: 50, known: 0 },
    ]);
  });

  it('keep what was found in an earlier text when a later one is looked through', async () => {
    const { finder, calls } = plainFinder();
    const wanted = Array.from({ length: 100 }, (_, n) =>
      n === 2 ? 'three' : n === 60 ? 'two' : n === 98 ? 'one' : `absent ${n}`,
    );
    const { quotes, interactions, texts, deleted_interactions } = await verify(
      [long('one'), long('two'), long('three')],
      wanted,
      finder,
    );
    expect([98, 60, 2].map((at) => quotes[at]?.interaction_id)).toEqual(['one', 'two', 'three']);
    expect(quotes.filter(({ status }) => status !== 'not_found')).toHaveLength(3);
    expect({ interactions, texts, deleted_interactions }).toEqual({
      interactions: 3,
      texts: 3,
      deleted_interactions: 2,
    });
    expect(calls.map(({ known }) => known)).toEqual([0, 0, 0, 1, 0, 2]);
  });

  it('are looked for in several short texts at once, and in the rest at the end', async () => {
    const { finder, calls } = plainFinder();
    const texts = ['a', 'b', 'c', 'd', 'e'].map((name) => long(name, 80_000));
    const { quotes } = await verify(texts, ['a ', 'c ', 'e '], finder);
    expect(quotes.map(({ interaction_id }) => interaction_id)).toEqual(['a', 'c', 'e']);
    expect(calls.map(({ texts: count }) => count)).toEqual([3, 2]);
  });

  it('count as long as the longest of them, in texts that are shorter', async () => {
    const { finder, calls } = plainFinder();
    const results = Array.from({ length: 250 }, (_, n) => ({
      url: `https://example.com/${n}`,
      excerpt: `short ${n}`,
    }));
    const quote = 'q'.repeat(1_000);
    await verify(
      [storedInteraction({ runs: [{ output_payload: found(results) }] })],
      [quote],
      finder,
    );
    expect(calls.map(({ texts }) => texts)).toEqual([200, 50]);
  });
});

describe('quotes that cannot be looked for in time', () => {
  const late: Finder = { find: async () => null };
  const stored = storedInteraction({ runs: [{ output_payload: found([], 'words') }] });

  it('are refused with 503', async () => {
    const refused = verify([stored], ['words'], late);
    await expect(refused).rejects.toMatchObject({ status: 503, typed: { code: 'unavailable' } });
  });

  it('are not refused when it is the caller who left', async () => {
    const refused = verify([stored], ['words'], late, { signal: AbortSignal.abort() });
    await expect(refused).rejects.toMatchObject({ message: /the client left/ });
  });
});

it('a session without texts needs no thread', async () => {
  const finder: Finder = { find: () => Promise.reject(new Error('asked')) };
  const empty = storedInteraction({ runs: [{ output_payload: found([]) }] });
  const { quotes, texts, interactions } = await verify([empty, storedInteraction()], ['x'], finder);
  expect({ texts, interactions, status: quotes[0]?.status }).toEqual({
    texts: 0,
    interactions: 2,
    status: 'not_found',
  });
});
