import { readRefusal, TrawlApiError } from '@trawl/client/http';
import { describe, expect, test } from 'vitest';
import {
  emptyRequest,
  isRunnable,
  queriesOf,
  withOptions,
  withQueries,
} from '../../../src/pages/playground/draft.ts';
import { faultAt } from '../../../src/pages/playground/faults.ts';

describe('the request of the form', () => {
  test('keeps members that the form does not show', () => {
    const request = {
      mode: 'search',
      body: { user_input: { query: 'a', lang: 'en' }, search: { unknown: 1 }, other: true },
    } as const;
    const changed = withOptions(withQueries(request, queriesOf(request)), { tier: 'max' });
    expect(changed.body).toEqual({
      user_input: { query: 'a', lang: 'en' },
      search: { unknown: 1, tier: 'max' },
      other: true,
    });
  });

  test('leaves out what is not set', () => {
    const request = withOptions(emptyRequest('search'), { tier: 'max' });
    expect(withOptions(request, { tier: undefined }).body).toEqual({ user_input: { query: '' } });
  });

  test('is one query object, or a list of several', () => {
    const one = withQueries(emptyRequest('search'), [{ query: 'a' }]);
    expect(one.body.user_input).toEqual({ query: 'a' });
    expect(withQueries(one, [{ query: 'a' }, { query: 'b' }]).body.user_input).toHaveLength(2);
    expect(withQueries(one, []).body.user_input).toEqual({ query: '' });
  });

  test('is not sent while a query is blank', () => {
    expect(isRunnable(emptyRequest('search'))).toBe(false);
    expect(isRunnable(emptyRequest('fetch'))).toBe(false);
    expect(
      isRunnable({ mode: 'search', body: { user_input: [{ query: 'a' }, { query: ' ' }] } }),
    ).toBe(false);
    expect(isRunnable({ mode: 'search', body: { user_input: { query: 'a' } } })).toBe(true);
  });
});

describe('what a refusal says about a field', () => {
  const refused = (status: number, body: object) =>
    new TrawlApiError(readRefusal(status, new Headers(), JSON.stringify(body)));

  test('is found by the place of each issue', () => {
    const issues = [
      {
        type: 'x',
        loc: ['body', 'search', 'provider_overrides', 'one'],
        msg: 'not an object',
        input: 1,
        hint: 'write {}',
      },
      { type: 'x', loc: ['body', 'search', 'provider_overrides'], msg: 'too large', input: 1 },
      { type: 'x', loc: ['body', 'search', 'tier'], msg: 'unknown tier', input: 1 },
    ];
    const error = refused(422, { detail: issues });
    expect(faultAt(error, 'search.provider_overrides')).toBe(
      'one: not an object. write {}. too large.',
    );
    expect(faultAt(error, 'search.tier')).toBe('unknown tier.');
    expect(faultAt(error, 'search.num_results')).toBeUndefined();
  });

  test('is found by the place that a refusal begins with', () => {
    const detail = 'search.provider_overrides: x does not run in this request';
    const error = refused(400, { detail, hint: 'add it' });
    expect(faultAt(error, 'search.provider_overrides')).toBe(
      'x does not run in this request. add it.',
    );
    expect(faultAt(error, 'search.provider')).toBeUndefined();
    const fetchError = refused(422, { detail: 'urls[1]: not an address' });
    expect(faultAt(fetchError, 'urls')).toBe('not an address.');
  });

  test('is found by the parameter that a refusal names', () => {
    const message = 'the chain has no provider for this page';
    const error = refused(400, { error: { message, param: 'urls[1]' } });
    expect(faultAt(error, 'urls')).toBe('the chain has no provider for this page.');
    expect(faultAt(error, 'options')).toBeUndefined();
  });

  test('is nothing for other failures', () => {
    expect(faultAt(new Error('search.tier: x'), 'search.tier')).toBeUndefined();
    expect(faultAt(null, 'search.tier')).toBeUndefined();
    expect(faultAt(refused(500, { detail: 'Internal server error' }), '')).toBeUndefined();
  });
});
