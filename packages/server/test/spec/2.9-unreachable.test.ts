import { describe, expect, test } from 'vitest';
import { fetchPage, PAGE, useStubFor } from './support/fetched-pages.ts';

const UNREACHABLE = 'The site could not be reached.';

describe('tinyfish', () => {
  const stub = useStubFor('tinyfish');
  const answer = (row: object) => ({ body: { results: [], errors: [{ url: PAGE, ...row }] } });

  test.each([
    [{ error: 'target_unreachable' }, 'target_error', UNREACHABLE],
    [
      { error: 'target_unreachable', message: 'connect ECONNREFUSED 192.0.2.1:443' },
      'target_error',
      UNREACHABLE,
    ],
    [
      { error: 'target_unreachable', message: 'net::ERR_NAME_NOT_RESOLVED' },
      'dns_error',
      'The host name is unknown.',
    ],
  ])('2.9 tinyfish: %j is %s', async (row, code, words) => {
    stub().respond(() => answer(row));
    const fetched = await fetchPage(stub(), PAGE, { providers: ['tinyfish'] });
    expect(fetched.row).toMatchObject({ status: 'failed', http_status: null, error: { code } });
    expect(fetched.row.error?.message).toBe(
      `tinyfish could not deliver the page (target_unreachable): ${words}`,
    );
  });
});

describe('linkup', () => {
  const stub = useStubFor('linkup');

  test.each([
    [
      'FETCH_TARGET_UNREACHABLE',
      'The target URL could not be reached (connection failed or timed out)',
      'target_error',
      UNREACHABLE,
    ],
    [
      'FETCH_TARGET_UNREACHABLE',
      'The host name of the target URL could not be resolved',
      'dns_error',
      'The host name is unknown.',
    ],
    [
      'FETCH_ERROR',
      'The URL could not be fetched',
      'target_error',
      'The site could not be reached, or answered with an error.',
    ],
  ])('2.9 linkup: %s "%s" is %s', async (vendorCode, message, code, words) => {
    const error = { code: vendorCode, message, details: [] };
    stub().respond(() => ({ status: 400, body: { statusCode: 400, error } }));
    const { row } = await fetchPage(stub(), PAGE, { providers: ['linkup'] });
    expect(row).toMatchObject({ status: 'failed', http_status: null, error: { code } });
    expect(row.error?.message).toContain(words);
  });
});

describe('jina', () => {
  const stub = useStubFor('jina');

  test.each([
    ['Failed to goto https://nowhere.example: net::ERR_NAME_NOT_RESOLVED', 'dns_error', /unknown/],
    [
      'Failed to access https://nowhere.example: Connection refused',
      'target_error',
      /could not be reached, or the page has no text/,
    ],
  ])('2.9 jina: "%s" is %s', async (message, code, words) => {
    const body = { data: null, code: 422, name: 'AssertionFailureError', status: 42206, message };
    stub().respond(() => ({ status: 422, body }));
    const { row } = await fetchPage(stub(), PAGE, { providers: ['jina'] });
    expect(row).toMatchObject({ status: 'failed', http_status: null, error: { code } });
    expect(row.error?.message).toMatch(words);
  });
});

describe('a verdict on the page without a clear reason', () => {
  const stub = useStubFor('tavily');

  test('2.9 rule 1: the row does not blame the provider, since the page was reached', async () => {
    stub().respond(() => ({
      body: { results: [], failed_results: [{ url: PAGE, error: 'Failed to fetch url' }] },
    }));
    const { row } = await fetchPage(stub(), PAGE, { providers: ['tavily'] });
    expect(row.error).toMatchObject({
      code: 'provider_error',
      message:
        'tavily could not deliver the page (Failed to fetch url): The provider could not read the page and gives no clearer reason.',
    });
  });
});

describe('exa', () => {
  const stub = useStubFor('exa');

  test('2.9 rule 1: INVALID_URLS is about the URL: a failed row of a 200, even if pinned', async () => {
    stub().respond(() => ({ status: 400, body: { error: 'Invalid URL', tag: 'INVALID_URLS' } }));
    const { row, warnings } = await fetchPage(stub(), PAGE, { providers: ['exa'] });
    expect([row.status, row.error?.code]).toEqual(['failed', 'provider_error']);
    expect(warnings).toEqual(['provider_error exa: provider_error (INVALID_URLS)']);
  });

  test('7.1 a refused call: the remedy only names things that a fetch has', async () => {
    stub().respond(() => ({ status: 400, body: { error: 'x', tag: 'INVALID_REQUEST_BODY' } }));
    const { status, json } = await stub().fetch({ urls: [PAGE], options: { providers: ['exa'] } });
    expect([status, json.error.code]).toEqual([502, 'provider_unavailable']);
    expect(json.error.message).toContain(
      'exa refused the request (HTTP 400): check the query or URL',
    );
    expect(json.error.message).not.toContain('provider_overrides');
  });
});
