import { describe, expect, test } from 'vitest';
import { search } from './support/search-runs.ts';
import { type StubReply, useStubbedServer } from './support/stubbed-server.ts';

const server = useStubbedServer();
const url = 'https://a.example/';
const good = { results: [{ url, title: 'A page' }] };

/** The answer of brave while exa misbehaves. */
const braveAnswers = () =>
  server().respond('brave', () => ({ body: { type: 'search', web: good } }));

async function searchWith(exa: StubReply, block: object = {}) {
  server().respond('exa', () => exa);
  braveAnswers();
  const found = await search(server(), 'tides', { include_raw: true, ...block });
  expect(found.rows('brave')).toHaveLength(1);
  return found;
}

describe('4.1 an answer that is not well-formed fails only its own run', () => {
  test.each<[string, StubReply, string, number]>([
    ['an error with status 200', { body: { error: 'busy', tag: 'X' } }, 'bad_response', 200],
    ['an error without rows', { body: { results: [], error: 'busy' } }, 'bad_response', 200],
    [
      'an error object without rows',
      { body: { results: [], detail: { error: 'x' } } },
      'bad_response',
      200,
    ],
    ['rows that are not a list', { body: { results: {} } }, 'bad_response', 200],
    ['rows that are null', { body: { results: null } }, 'bad_response', 200],
    ['no content', { status: 204, body: '' }, 'bad_response', 204],
    ['an empty body', { body: '' }, 'bad_response', 200],
    [
      'JSON with the type of HTML',
      { headers: { 'content-type': 'text/html' }, body: good },
      'bad_response',
      200,
    ],
    ['two values', { body: '{"results":[]}{"results":[]}' }, 'bad_response', 200],
    [
      'a redirect',
      { status: 301, headers: { location: '/exa/search' }, body: good },
      'upstream_error',
      301,
    ],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: good },
      'upstream_error',
      307,
    ],
    ['not modified', { status: 304, body: '' }, 'upstream_error', 304],
  ])('4.1 %s', async (_name, reply, code, http_status) => {
    const { answer, run, error } = await searchWith(reply);
    expect(answer.status).toBe('partially_succeeded');
    expect(run('exa').status).toBe('failed');
    expect(error('exa')).toMatchObject({ code, http_status });
    expect(server().calls('exa')).toBe(1);
  });

  test.each([
    ['an error with status 200', { type: 'ErrorResponse', error: { code: 'X' } }],
    ['an object without a type', {}],
    ['rows that are not a list', { type: 'search', web: { results: {} } }],
  ])('4.1 brave: %s', async (_name, body) => {
    server().respond('brave', () => ({ body }));
    server().respond('exa', () => ({ body: good }));
    const { error, rows } = await search(server(), 'tides');
    expect(error('brave')).toMatchObject({ code: 'bad_response', http_status: 200 });
    expect(rows('exa')).toHaveLength(1);
  });
});

describe('4.1 an answer that is nested too deep fails only its own run', () => {
  const nested = (levels: number) =>
    `{"results":[{"url":"${url}","deep":${'['.repeat(levels)}1${']'.repeat(levels)}}]}`;

  test.each([1_000, 5_000, 200_000])('4.1 %i levels', async (levels) => {
    for (const block of [{ tier: 'max' }, { tier: 'default' }]) {
      const { answer, run, error } = await searchWith({ body: nested(levels) }, block);
      expect(answer.status).toBe('partially_succeeded');
      expect(error('exa')).toMatchObject({ code: 'bad_response', http_status: 200 });
      expect(run('exa').raw_payload).toEqual({ body: nested(levels).slice(0, 65_536) });
    }
  });

  test('4.1 also in the answer of a failure', async () => {
    const { error } = await searchWith({ status: 400, body: nested(5_000) });
    expect(error('exa')).toMatchObject({ code: 'bad_request', http_status: 400 });
  });

  test('2.5 rule 4: realistic nesting is accepted', async () => {
    const { rows } = await searchWith({ body: nested(40) }, { tier: 'max' });
    expect(JSON.stringify(rows('exa')[0]?.enrichments)).toBe(
      `{"deep":${'['.repeat(40)}1${']'.repeat(40)}}`,
    );
  });
});

test('2.5 rule 4: keys with names of JavaScript members are ordinary keys', async () => {
  const row = `{"url":"${url}","__proto__":{"x":1},"constructor":"c","toString":2,"":3}`;
  const body = `{"results":[${row}],"costDollars":{"total":0.01,"__proto__":{"y":2}}}`;
  const { text } = await searchWith({ body }, { tier: 'max' });
  expect(text).toContain('"enrichments":{"__proto__":{"x":1},"constructor":"c","toString":2,"":3}');
  expect(text).toContain('"units":{"__proto__":{"y":2}}');
});

test('2.5 rule 4: special characters are returned as they were sent', async () => {
  const odd = 'a\u2028b\u202ec\u0007"\\/</script>🌊é\ufeff';
  const { rows } = await searchWith({ body: { results: [{ url, odd }] } }, { tier: 'max' });
  expect(rows('exa')[0]?.enrichments).toEqual({ odd });
});

test('2.5 an answer of many rows and long texts is read, and cut to the requested count', async () => {
  const long = 'tide '.repeat(20_000);
  const results = Array.from({ length: 100 }, (_, index) => ({
    url: `${url}${index}`,
    title: `row ${index}`,
    text: index < 2 ? long : 'short',
  }));
  const block = { fields: ['title', 'full_content'], num_results: 2, include_raw: false };
  const { rows } = await searchWith({ body: { results } }, block);
  expect(rows('exa')).toEqual([
    { title: 'row 0', full_content: long },
    { title: 'row 1', full_content: long },
  ]);
});

describe('2.7 upstream_warning: a too long text in a short field is cut, with a warning', () => {
  const warningsOf = async (row: object, block: object = {}) => {
    const found = await searchWith({ body: { results: [{ url, ...row }] } }, block);
    const output = found.run('exa').output_payload;
    const said = (output?.warnings ?? []).filter(
      ({ code }: { code: string }) => code === 'upstream_warning',
    );
    return {
      row: output?.results[0],
      messages: said.map(({ message }: { message: string }) => message),
    };
  };

  test('2.7 upstream_warning: title, summary and author, each with its limit', async () => {
    const long = {
      title: `${'t'.repeat(20_000)}!`,
      summary: `${'s'.repeat(100_000)}!`,
      author: 'a'.repeat(30_000),
    };
    const { row, messages } = await warningsOf(long, { tier: 'max' });
    expect(row?.title).toBe('t'.repeat(20_000));
    expect(row?.summary).toBe('s'.repeat(100_000));
    expect(row?.source?.author).toBe('a'.repeat(20_000));
    expect(messages).toEqual([
      'title: exa sent 1 row whose text is longer than 20000 characters; cut to that',
      'summary: exa sent 1 row whose text is longer than 100000 characters; cut to that',
      'source: exa sent 1 row whose author is longer than 20000 characters; cut to that',
    ]);
  });

  test('2.7 upstream_warning: a field outside the answer and a text of exactly that length have no warning', async () => {
    const just = { title: 't'.repeat(20_000), author: 'a'.repeat(30_000) };
    expect((await warningsOf(just, { tier: 'default' })).messages).toEqual([]);
  });

  test('2.7 upstream_warning: megabytes of blanks and open tags are read in time', async () => {
    const { row } = await warningsOf({
      title: `x${' '.repeat(3_000_000)}y`,
      summary: '<b '.repeat(1_000_000),
    });
    expect(row?.title).toBe('x');
  });
});
