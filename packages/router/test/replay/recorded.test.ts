import { jsonText } from '@trawl/base';
import type { JsonObject } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import type { KnownRequest, RecordedRequest } from '../../src/interaction/records.ts';
import { type AsRecorded, findRecorded } from '../../src/replay/recorded.ts';
import { storedInteraction } from '../support/stored.ts';

const INPUT = { query: 'tides', tags: { a: 1, b: 2 } };
const SEARCH: RecordedRequest = { search: { tier: 'minimalist', num_results: 3 } };
const PLACE = { projectId: 'project', sessionId: 'session' };

const known = (
  id: string,
  request: RecordedRequest | null = SEARCH,
  userInput: JsonObject = INPUT,
): KnownRequest => ({ id, userInput: jsonText(userInput), request: request && jsonText(request) });

/** The id of what is found, in a session that has these requests. @param gone cannot be read */
async function find(
  requests: readonly KnownRequest[],
  { userInput = INPUT, request = SEARCH }: Partial<AsRecorded> = {},
  gone?: string,
): Promise<string> {
  const reader = {
    requestsOf: async (...asked: readonly unknown[]) => {
      expect(asked).toEqual(['project', 'session', userInput && jsonText(userInput)]);
      return requests;
    },
    interaction: async (projectId: string, sessionId: string, id: string) => {
      expect({ projectId, sessionId }).toEqual(PLACE);
      return id === gone ? undefined : storedInteraction({ id });
    },
  };
  return (await findRecorded({ userInput, request }, PLACE, reader)).id;
}

const refused = {
  status: 409,
  typed: { code: 'not_recorded' },
};

describe('the recorded answer to a request', () => {
  it('is the first of three', async () => {
    expect(await find([known('1'), known('2'), known('3')])).toBe('1');
  });

  it('is that of the request itself, not of one before or after it', async () => {
    const other: RecordedRequest = { search: { tier: 'minimalist', num_results: 4 } };
    const page: RecordedRequest = { fetch: { tier: 'minimalist' } };
    const requests = [known('1', other), known('2', page), known('3', null), known('4')];
    expect(await find([...requests, known('5')])).toBe('4');
    expect(await find(requests, { request: page })).toBe('2');
  });

  it('does not depend on the order of members, but on that of lists and on each value', async () => {
    const request: RecordedRequest = { search: { num_results: 3, tier: 'minimalist' } };
    const userInput = { tags: { b: 2, a: 1 }, query: 'tides' };
    expect(await find([known('1')], { request, userInput })).toBe('1');
    for (const other of [
      { ...INPUT, tags: { a: 2, b: 1 } },
      { query: 'tides' },
      { ...INPUT, query: 'Tides' },
    ]) {
      await expect(find([known('1')], { userInput: other })).rejects.toMatchObject(refused);
    }
    const named = (...names: string[]): RecordedRequest => ({
      ...{ search: {}, preprocessor_names: names },
    });
    const both = [known('1', named('exa', 'you')), known('2', named('you', 'exa'))];
    expect(await find(both, { request: named('you', 'exa') })).toBe('2');
  });

  it.each<[string, readonly KnownRequest[], Partial<AsRecorded>, string?]>([
    ['an empty session', [], {}],
    ['a request that was not kept', [known('1', null)], {}],
    ['a step without input', [known('1')], { userInput: null }],
    ['an answer that was deleted meanwhile', [known('1'), known('2')], {}, '1'],
  ])('is refused for %s', async (_, requests, wanted, gone) => {
    await expect(find(requests, wanted, gone)).rejects.toMatchObject(refused);
  });

  it('of a step without input asks nothing of the store', async () => {
    const reader = {
      requestsOf: () => Promise.reject(new Error('asked')),
      interaction: () => Promise.reject(new Error('asked')),
    };
    const asked = findRecorded({ userInput: null, request: SEARCH }, PLACE, reader);
    await expect(asked).rejects.toMatchObject(refused);
  });
});
