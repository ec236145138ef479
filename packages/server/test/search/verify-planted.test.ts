import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';

const TOPICS = ['tidal power', 'rope walks', 'heat pumps', 'cranes', 'old bridges', 'glaciers'];
const PAGES = 30;

/** Numbers below 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describeMainlyOn('SQLite', 'quotes of recorded pages', (database) => {
  let server: TestServer;
  let session: string;
  const pages: { readonly url: string; readonly content: string }[] = [];
  beforeAll(async () => {
    server = await startTestServer({ database });
    for (let number = 0; number < PAGES; number += 10) {
      const urls = Array.from({ length: 10 }, (_, at) => {
        const topic = TOPICS[(number + at) % TOPICS.length]?.replaceAll(' ', '-');
        return `https://www.example.com/guides/${topic}-${number + at}`;
      });
      const { json } = await server.fetch({ urls, ...(session ? { session_id: session } : {}) });
      session = json.session_id;
      for (const { url, content } of json.preprocessor_runs[0].output_payload.fetched_results) {
        pages.push({ url, content });
      }
    }
  }, 120_000);
  afterAll(() => server.stop());

  interface Verified {
    readonly status: string;
    readonly url: string | null;
  }
  const verify = async (quotes: readonly string[]): Promise<readonly Verified[]> => {
    const body = { session_id: session, quotes: quotes.map((text) => ({ text })) };
    const { status, json } = await server.call('POST', '/v1/verify', { body });
    expect([status, json.detail]).toEqual([200, undefined]);
    return json.quotes;
  };

  it('of 300 true, altered and invented ones are distinguished, at no cost', async () => {
    const next = numbers(47);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
    expect(pages).toHaveLength(PAGES);
    const words = pages.map(({ content }) =>
      content.split(/\s+/).filter((one) => /^\w+$/.test(one)),
    );
    const taken = () => {
      const lines = pick(pages).content.split('\n');
      const line = pick(lines.filter((one) => one.split(' ').length > 14));
      const all = line.split(' ');
      const length = 8 + Math.floor(next() * Math.min(20, all.length - 9));
      const start = Math.floor(next() * (all.length - length));
      return all.slice(start, start + length);
    };
    const planted = Array.from({ length: 100 }, (_, at) => taken().join(at % 2 ? '\n' : ' '));
    const altered = Array.from({ length: 100 }, () => {
      const all = taken();
      const middle = Math.floor(all.length / 2);
      all[middle] = pick(['never', 'seventeen', 'marble', 'unlikely', 'twice']);
      return all.join(' ');
    });
    // words of the pages in an order that none of them has
    const invented = Array.from({ length: 100 }, () =>
      Array.from({ length: 16 }, () => pick(pick(words))).join(' '),
    );
    const usage = JSON.stringify((await server.call('GET', '/v1/usage')).json.rows);
    server.sandbox.clearCalls();
    const [trueOnes, alteredOnes, inventedOnes] = [
      await verify(planted),
      await verify(altered),
      await verify(invented),
    ];
    const count = (all: readonly Verified[], ...statuses: readonly string[]) =>
      all.filter(({ status }) => statuses.includes(status)).length;
    const figures = {
      true: [count(trueOnes, 'exact'), count(trueOnes, 'normalized'), count(trueOnes, 'near')],
      altered: [count(alteredOnes, 'exact', 'normalized'), count(alteredOnes, 'near')],
      invented: [count(inventedOnes, 'exact', 'normalized'), count(inventedOnes, 'near')],
    };
    if (process.env.FIGURES) console.log(JSON.stringify(figures));
    // recall: every true quote is found
    expect(figures.true[0]).toBeGreaterThanOrEqual(50);
    expect(count(trueOnes, 'exact', 'normalized')).toBe(100);
    // precision: what is called exact or normalized is there
    expect(figures.altered[0]).toBe(0);
    expect(figures.altered[1]).toBeGreaterThanOrEqual(85);
    expect(figures.invented).toEqual([0, 0]);
    expect(server.sandbox.calls).toEqual([]);
    expect(JSON.stringify((await server.call('GET', '/v1/usage')).json.rows)).toBe(usage);
  }, 240_000);
});
