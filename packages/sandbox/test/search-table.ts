import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import type { JsonObject } from '../src/util/json.ts';
import { type Answer, ask, rowsAt, type SentHeaders, useSandbox } from './support.ts';

/** Status and body of an answer. */
type Outcome = readonly [status: number, body: unknown];

/** What a vendor documents of its search. */
export interface SearchTable {
  readonly vendor: string;
  /** With POST the parameters are sent as JSON, with GET in the query. */
  readonly route: `${'GET' | 'POST'} /${string}`;
  /** The headers, or with GET the parameters, that carry a key; none where keys are ignored. */
  readonly keyed?: (key: string) => SentHeaders;
  readonly keyIn?: 'query';
  /** The shortest request for a text. */
  readonly asking: (text: string) => JsonObject;
  /** Where the rows are in an answer. */
  readonly rows: readonly string[];
  /** The whole answer to the shortest request, and each of its rows. */
  readonly envelope: unknown;
  readonly row: unknown;
  /** How many rows come for these additional parameters. */
  readonly counts: readonly (readonly [more: JsonObject, rows: number])[];
  /**
   * Requests that are refused, by name, and what the answer says of each: what `bounds.test.ts`
   * does not have, and one of each form of an answer.
   */
  readonly refused: Readonly<Record<string, readonly [sent: unknown, part: string, Outcome?]>>;
  /** The answer to those that name no other. */
  readonly refusal?: Outcome;
  /** SentHeaders or keys in place of a good one, and the answer before the body is read. */
  readonly keys?: Readonly<Record<string, readonly [SentHeaders, ...Outcome]>>;
  /** Other routes, with the answer. */
  readonly elsewhere: Readonly<Record<string, Outcome>>;
  /** The body for each status that a directive asks for. */
  readonly failures: Readonly<Record<number, unknown>>;
  /** The statuses whose body is a page of the gateway. */
  readonly pages?: readonly number[];
  /** The answer that found nothing. */
  readonly empty: Outcome;
}

export interface SearchTools {
  readonly search: (sent: unknown, headers?: SentHeaders) => Promise<Answer>;
  /** The answer to the shortest request with these parameters. */
  readonly searchWith: (more: JsonObject) => Promise<Answer>;
  readonly rowsWith: (more: JsonObject) => Promise<readonly JsonObject[]>;
  /** The answer to a query with this directive. */
  readonly faulty: (fault: string, key?: string) => Promise<Answer>;
}

const TEXT = 'tidal energy';
const SECRET = 'secret-7f3a';
const HTML = /^<!DOCTYPE html>/i;

/**
 * Checks one vendor's table against a running sandbox; the tools are for the vendor's own tests.
 */
export function testSearch(table: SearchTable): SearchTools & ReturnType<typeof useSandbox> {
  const sandbox = useSandbox();
  const { vendor, keyed = () => ({}), asking, keyIn } = table;
  const [method = '', path = ''] = table.route.split(' ');
  const inQuery = keyIn === 'query';

  const search = (sent: unknown, headers: SentHeaders = keyed('test-key')): Promise<Answer> => {
    const parameters = inQuery && typeof sent === 'object' ? { ...headers, ...sent } : sent;
    return ask(sandbox(), vendor, method, path, parameters, inQuery ? {} : headers);
  };
  const searchWith = (more: JsonObject) => search({ ...asking(TEXT), ...more });
  const rowsWith = async (more: JsonObject) => rowsAt((await searchWith(more)).body, ...table.rows);
  const faulty = (fault: string, key = 'test-key') =>
    search(asking(`${TEXT} [[${vendor}:${fault}]]`), keyed(key));

  describe(`a search that ${vendor} accepts`, () => {
    test('answers with the documented envelope and rows', async () => {
      const { status, headers, body } = await searchWith({});
      expect([status, headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^application\/json/),
      ]);
      expect(body).toEqual(table.envelope);
      for (const row of rowsAt(body, ...table.rows)) expect(row).toEqual(table.row);
    });

    test('gives the same bytes for the same request', async () => {
      expect((await searchWith({})).text).toBe((await searchWith({})).text);
    });

    test.each(table.counts)('%j gives %i rows', async (more, count) => {
      expect(await rowsWith(more)).toHaveLength(count);
    });
  });

  describe(`a search that ${vendor} refuses`, () => {
    test.each(Object.entries(table.refused))('%s', async (_name, [sent, part, own]) => {
      const answer = await search(sent);
      expect([answer.status, answer.body]).toEqual(own ?? table.refusal);
      expect(answer.text).toContain(part);
    });

    test.each(Object.entries(table.keys ?? {}))('%s', async (_name, [headers, ...expected]) => {
      const unread = await search(inQuery || method === 'GET' ? asking(TEXT) : {}, headers);
      const answer = expected[0] === 401 ? unread : await search(asking(TEXT), headers);
      expect([answer.status, answer.body]).toEqual(expected);
    });

    test.each(Object.entries(table.elsewhere))('%s', async (route, expected) => {
      const [otherMethod = '', otherPath = ''] = route.split(' ');
      const answer = await ask(sandbox(), vendor, otherMethod, otherPath, {}, keyed('test-key'));
      const isPage = HTML.test(answer.text);
      expect([answer.status, isPage ? 'a page' : answer.body]).toEqual(expected);
    });
  });

  describe(`faults of ${vendor}`, () => {
    test.each(Object.entries(table.failures))('status=%s', async (status, body) => {
      const answer = await faulty(`status=${status}`);
      expect([answer.status, answer.body]).toEqual([Number(status), body]);
    });

    test.each(table.pages ?? [])('status=%i is a page of the gateway', async (status) => {
      const answer = await faulty(`status=${status}`);
      expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(HTML)]);
    });

    test('empty, rows and odd-rows', async () => {
      const empty = await faulty('empty');
      expect([empty.status, empty.body]).toEqual(table.empty);
      expect(rowsAt((await faulty('rows=3')).body, ...table.rows)).toHaveLength(3);
      const odd = await faulty(`odd-rows,rows=${ODD_ROWS}`);
      expect(rowsAt(odd.body, ...table.rows)).toHaveLength(ODD_ROWS);
      expect(odd.text).toMatch(/<strong>marked|&amp; more/);
    });

    if (table.keyed)
      test('echo-key alone quotes the key, in a row and in an error', async () => {
        const [row] = rowsAt((await faulty('echo-key', SECRET)).body, ...table.rows);
        expect(JSON.stringify(row)).toContain(SECRET);
        expect((await faulty('echo-key,status=500', SECRET)).text).toContain(SECRET);
        expect((await faulty('status=500', SECRET)).text).not.toContain(SECRET);
        expect((await faulty('latency=0', SECRET)).text).not.toContain(SECRET);
      });
  });

  return Object.assign(sandbox, { search, searchWith, rowsWith, faulty });
}
