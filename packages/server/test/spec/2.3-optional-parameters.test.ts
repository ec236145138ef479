import { describe, expect, test } from 'vitest';
import { type StubCall, useStubFor } from './support/fetched-pages.ts';
import { search } from './support/search-runs.ts';

const only = (slug: string, more: object = {}) => ({ providers: { include: [slug] }, ...more });

describe('brave on a plan without extra_snippets', () => {
  const stub = useStubFor('brave');
  const refusal = {
    type: 'ErrorResponse',
    error: {
      status: 400,
      code: 'OPTION_NOT_IN_PLAN',
      detail: 'An option is not part of this plan',
      meta: { component: 'authentication' },
    },
  };
  const row = { url: 'https://a.example/', title: 'Tides', description: 'About tides.' };
  const asks = ({ path }: StubCall) => path.includes('extra_snippets');
  const legacyPlan = (call: StubCall) =>
    asks(call)
      ? { status: 400, body: refusal }
      : { body: { type: 'search', web: { results: [row] } } };

  test('2.3 brave: the call is sent once more without them, with a gap on excerpt, and later calls leave them out', async () => {
    stub().respond(legacyPlan);
    const found = await search(stub(), 'tides', only('brave', { tier: 'extended' }));
    expect(found.rows('brave')).toMatchObject([{ title: 'Tides', excerpt: null }]);
    expect(found.warnings('brave')).toContain(
      'capability_gap excerpt: brave returns no extra snippets on the plan of this key',
    );
    expect(found.run('brave').request_payload.url).not.toContain('extra_snippets');
    expect(stub().received.map(asks)).toEqual([true, false]);
    const { interaction_id } = found.answer;
    const rows = await stub().server.store.reader.ledger(stub().projectId, interaction_id);
    // the refused call counts as a call; only the answer is billed
    expect(rows.map(({ calls, costMicros }) => [calls, costMicros])).toEqual([[2, 5_000]]);

    const next = await search(stub(), 'tides', only('brave', { fields: ['url', 'excerpt'] }));
    expect(next.warnings('brave')).toHaveLength(1);
    expect(stub().received.map(asks)).toEqual([true, false, false]);
    const without = await search(stub(), 'tides', only('brave'));
    expect(without.warnings('brave')).toEqual([]);
    expect(stub().logged()).toContain('"left_out":"extra_snippets"');
  });

  test('2.11 extra_snippets of the caller are sent, and their refusal is reported', async () => {
    stub().respond(legacyPlan);
    const block = { tier: 'extended', provider_overrides: { brave: { extra_snippets: true } } };
    const found = await search(stub(), 'tides', only('brave', block));
    expect(found.error('brave')).toMatchObject({ code: 'bad_request', http_status: 400 });
    expect(stub().received.map(asks)).toEqual([true]);
  });
});

describe('brave that refuses another option', () => {
  const stub = useStubFor('brave');

  test('2.3 brave: a call that is also refused without them is not remembered', async () => {
    const asks = ({ path }: StubCall) => path.includes('extra_snippets');
    stub().respond(() => ({
      status: 400,
      body: { type: 'ErrorResponse', error: { status: 400, code: 'OPTION_NOT_IN_PLAN' } },
    }));
    const found = await search(stub(), 'tides', only('brave', { tier: 'extended' }));
    expect(found.error('brave')).toMatchObject({ code: 'bad_request', http_status: 400 });
    expect(found.warnings('brave').join()).not.toContain('excerpt');
    stub().respond(() => ({ body: { type: 'search' } }));
    await search(stub(), 'tides', only('brave', { tier: 'extended' }));
    expect(stub().received.map(asks)).toEqual([true, false, true]);
  });
});

describe('brave that fails without extra_snippets for another reason', () => {
  const stub = useStubFor('brave');
  const asks = ({ path }: StubCall) => path.includes('extra_snippets');

  test.each([402, 403, 404, 501])(
    '2.3 brave: after a %i the next request asks for them again',
    async (status) => {
      stub().respond((call) =>
        asks(call)
          ? { status: 400, body: { type: 'ErrorResponse', error: { code: 'OPTION_NOT_IN_PLAN' } } }
          : { status, body: {} },
      );
      const found = await search(stub(), 'tides', only('brave', { tier: 'extended' }));
      expect(found.run('brave').status).toBe('failed');
      stub().respond(() => ({ body: { type: 'search' } }));
      await search(stub(), 'tides', only('brave', { tier: 'extended' }));
      expect(stub().received.map(asks)).toEqual([true, false, true]);
      expect(stub().logged()).not.toContain('left_out');
    },
  );
});

describe('tavily that refuses include_published_date together with an option of the caller', () => {
  const stub = useStubFor('tavily');

  test('2.3 tavily: other requests still send it', async () => {
    const asks = ({ body }: StubCall) => 'include_published_date' in JSON.parse(body);
    const results = [{ url: 'https://a.example/', title: 'Tides', content: 'x', score: 1 }];
    const error = 'include_published_date cannot be combined with search_depth fast';
    stub().respond((call) =>
      asks(call) && JSON.parse(call.body).search_depth === 'fast'
        ? { status: 400, body: { detail: { error } } }
        : { body: { results } },
    );
    const extended = { tier: 'extended' };
    const overrides = { provider_overrides: { tavily: { search_depth: 'fast' } } };
    const found = await search(stub(), 'tides', only('tavily', { ...extended, ...overrides }));
    expect(found.rows('tavily')).toMatchObject([{ title: 'Tides' }]);
    await search(stub(), 'tides', only('tavily', extended));
    expect(stub().received.map(asks)).toEqual([true, false, true]);
  });
});

describe('tavily that refuses include_published_date', () => {
  const stub = useStubFor('tavily');
  const asks = ({ body }: StubCall) => 'include_published_date' in JSON.parse(body);
  const results = [{ url: 'https://a.example/', title: 'Tides', content: 'x', score: 1 }];

  test.each([
    [400, { detail: { error: 'Invalid parameter: include_published_date' } }],
    [
      422,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'include_published_date'],
            msg: 'Extra inputs are not permitted',
          },
        ],
      },
    ],
  ])('2.3 tavily: after a %i that names it, it is left out', async (status, body) => {
    stub().respond((call) => (asks(call) ? { status, body } : { body: { results } }));
    const found = await search(stub(), 'tides', only('tavily', { tier: 'extended' }));
    expect(found.rows('tavily')).toMatchObject([{ title: 'Tides', publish_date: null }]);
    expect(found.warnings('tavily')).toContainEqual(
      expect.stringMatching(/^capability_gap publish_date: tavily refuses include_published_date/),
    );
    // remembered from the first of the two cases on
    expect(stub().received.map(asks)).toEqual(status === 400 ? [true, false] : [false]);
  });

  test('2.3 tavily: a 400 about something else is answered as before', async () => {
    stub().respond(() => ({ status: 400, body: { detail: { error: 'Query is too long' } } }));
    const found = await search(stub(), 'tides', only('tavily', { tier: 'extended' }));
    expect(found.error('tavily')).toMatchObject({ code: 'bad_request', http_status: 400 });
    expect(stub().received).toHaveLength(1);
  });
});
