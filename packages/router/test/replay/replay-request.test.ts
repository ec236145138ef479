import { describe, expect, it } from 'vitest';
import { replayRequest } from '../../src/replay/replay-request.ts';
import { storedInteraction } from '../support/stored.ts';

describe('the request that repeats a search', () => {
  it('has the input, options, providers, session and metadata of the first, and names it', () => {
    const stored = storedInteraction({
      id: '01a21ddb-2f1d-779c-94fb-2f086c1956e6',
      sessionId: '01a21ddb-2f1d-779c-94fb-2f086c1956e7',
      userInput: { query: 'tides', reason: 'a report' },
      metadata: { step: 3, replay_of: 'an earlier one' },
      request: {
        search: { tier: 'extended', num_results: 4 },
        preprocessor_names: ['exa', 'brave'],
        postprocessor_names: ['url_dedup'],
      },
    });
    expect(replayRequest(stored)).toMatchObject({
      session_id: '01a21ddb-2f1d-779c-94fb-2f086c1956e7',
      user_input: { query: 'tides', reason: 'a report' },
      metadata: { step: 3, replay_of: '01a21ddb-2f1d-779c-94fb-2f086c1956e6' },
      search: { tier: 'extended', num_results: 4 },
      preprocessor_names: ['exa', 'brave'],
      postprocessor_names: ['url_dedup'],
    });
  });

  it('has all queries of a batch, in their order', () => {
    const queries = [{ query: 'one' }, { query: 'two' }, { query: 'three' }];
    const stored = storedInteraction({ userInput: { queries }, request: { search: {} } });
    expect(
      replayRequest({ ...stored, sessionId: '01a21ddb-2f1d-779c-94fb-2f086c1956e7' }),
    ).toMatchObject({
      user_input: queries,
    });
  });

  it.each<[string, Parameters<typeof storedInteraction>[0], number, RegExp]>([
    ['a step without input', { userInput: null }, 422, /has no input/],
    [
      'a fetch',
      { userInput: { urls: ['https://example.com/'] }, request: { fetch: {} } },
      422,
      /is a fetch/,
    ],
    [
      'a fetch of an earlier version',
      { userInput: { urls: ['https://a.example/'] } },
      422,
      /is a fetch/,
    ],
    ['a search whose request was not kept', {}, 409, /was not kept/],
    [
      'one that is not valid any more',
      { request: { search: { num_results: 100_000 } } },
      409,
      /not valid in this version \((?:session_id|search\.num_results): /,
    ],
  ])('is refused for %s', (_, given, status, message) => {
    const replay = () => replayRequest(storedInteraction(given));
    const msg = expect.stringMatching(message);
    const detail = status === 422 ? [expect.objectContaining({ msg })] : msg;
    expect(replay).toThrow(expect.objectContaining({ status, detail }));
  });
});
