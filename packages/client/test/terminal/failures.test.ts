import { answers, type Respond, type Stub, startStub } from '@trawl/test-support/client-stub';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Trawl } from '../../src/index.ts';
import { EXIT } from '../../src/terminal/exit-codes.ts';
import { failureOf, failureText } from '../../src/terminal/failure.ts';

let stub: Stub;
let respond: Respond;
beforeAll(async () => {
  stub = await startStub((...request) => respond(...request));
});
afterAll(() => stub.stop());

/** What the command prints when a server answers like this. */
async function failureFor(
  status: number,
  body: unknown,
  headers: Record<string, string> = { 'x-request-id': 'r1' },
) {
  respond = answers(status, body, headers);
  const client = new Trawl({ baseUrl: stub.url, apiKey: 'tk_x', maxRetries: 0 });
  const error: unknown = await client.search('tidal power').catch((reason: unknown) => reason);
  return failureOf(error, stub.url);
}

describe('a refusal by status', () => {
  test.each([
    [400, EXIT.usage, 'invalid_request', undefined],
    [401, EXIT.auth, 'unauthorized', 'keys create'],
    [402, EXIT.failed, 'budget_exceeded', 'keys limit'],
    [403, EXIT.auth, 'forbidden', '--permissions'],
    [404, EXIT.failed, 'not_found', 'trawl sessions'],
    [413, EXIT.usage, 'payload_too_large', 'fewer or shorter'],
    [422, EXIT.usage, 'invalid_request', undefined],
    [429, EXIT.failed, 'rate_limited', undefined],
    [500, EXIT.failed, 'internal_error', undefined],
    [503, EXIT.failed, 'unavailable', undefined],
  ])('%i gives exit code %i and the code %s', async (status, exitCode, code, remedy) => {
    const failure = await failureFor(status, { detail: 'why' });
    expect(failure).toMatchObject({ exitCode, code, message: 'why' });
    if (remedy === undefined) expect(failure.remedy).toBeUndefined();
    else expect(failure.remedy).toContain(remedy);
  });

  test('the code of the answer is kept', async () => {
    const error = { code: 'over_url_cap', message: '21 URLs, over the limit of 20' };
    expect(await failureFor(400, { error })).toMatchObject({ code: 'over_url_cap' });
  });

  test.each([429, 503])('%i says when to retry', async (status) => {
    const headers = { 'x-request-id': 'r1', 'retry-after': '7' };
    const failure = await failureFor(status, { detail: 'later' }, headers);
    expect(failure.remedy).toBe('try again in 7 s');
  });
});

describe('a server other than trawl', () => {
  test.each([
    [404, '<h1>Not Found</h1>', { 'x-request-id': 'of-another' }],
    [404, { detail: 'Not Found' }, {}],
    [405, '', {}],
    [501, 'Unsupported method', {}],
  ])('%i %j hints at SERVICE_BASE_URL, not at sessions', async (status, body, headers) => {
    const failure = await failureFor(status, body, headers);
    expect(failure).toMatchObject({ exitCode: EXIT.unreachable, code: 'bad_answer' });
    expect(failure.remedy).toBe(`SERVICE_BASE_URL is ${stub.url}: is that a trawl server?`);
  });
});

describe('messages name the flag, not the path of the API', () => {
  const issue = (msg: string, ...loc: readonly (string | number)[]) => ({
    type: 'x',
    loc,
    msg,
    input: 1,
  });

  test.each([
    [['body', 'search', 'num_results'], '--num-results: too much'],
    [['body', 'search', 'fields', 1], '--fields: too much'],
    [['body', 'search', 'providers', 'include', 0], '--include: too much'],
    [['body', 'session_id'], 'the session: too much'],
    [['body', 'user_input', 'query'], 'the query: too much'],
    [['body', 'user_input', 1, 'query'], 'query 2: too much'],
    [['query', 'limit'], '--limit: too much'],
    [['path', 'session_id'], 'the session: too much'],
    [['body', 'search', 'provider_overrides'], 'search provider_overrides: too much'],
    [['body', 'constructor'], 'constructor: too much'],
  ])('%j', async (loc, message) => {
    const failure = await failureFor(422, { detail: [issue('too much', ...loc)] });
    expect(failureText(failure)).toBe(`trawl: ${message}\n`);
  });

  test('of a rule of the server, without its prefix', async () => {
    const rule = issue('Value error, must be in the past', 'query', 'from');
    const failure = await failureFor(422, { detail: [rule] });
    expect(failureText(failure)).toBe('trawl: --from: must be in the past\n');
  });

  test('several at once, with the hints that they have', async () => {
    const wrong = {
      ...issue('Input should be …', 'body', 'search', 'tier'),
      hint: 'did you mean max?',
    };
    const many = [wrong, ...[1, 2, 3].map((n) => issue('no', 'body', 'search', 'fields', n))];
    expect((await failureFor(422, { detail: many })).message).toBe(
      '--tier: Input should be … (did you mean max?); --fields: no; --fields: no; and 1 more',
    );
  });

  test.each([
    ['options.inline_max_chars', '--max-chars: must be less'],
    ['options.providers[1]', '--providers: must be less'],
    ['urls[0]', 'URL 1: must be less'],
  ])('of the typed family: %s', async (param, message) => {
    const error = { code: 'invalid_request', message: `${param}: must be less`, param };
    expect((await failureFor(422, { error })).message).toBe(message);
  });

  test('names flags inside of its text too', async () => {
    const message = 'no page was reached. Without options.providers, others are asked too';
    const error = { code: 'provider_unavailable', message, session_id: 's', interaction_id: 'i' };
    expect((await failureFor(503, { error })).message).toBe(
      'no page was reached. Without --providers, others are asked too',
    );
  });
});
