import { describe, expect, test } from 'vitest';
import { type Answer, answerOf, useSandbox } from './support.ts';

const sandbox = useSandbox();
const u = 'https://atlas.example.org/wiki/tidal-energy-a-practical-guide';
const text = expect.any(String);
type Headers = Readonly<Record<string, string>>;
const JSON_MODE = { accept: 'application/json' };

async function read(body: unknown, headers: Headers = JSON_MODE): Promise<Answer> {
  const response = await fetch(`${sandbox().baseUrl('jina')}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return answerOf(response);
}

async function get(url: string, headers: Headers = {}): Promise<Answer> {
  return answerOf(await fetch(`${sandbox().baseUrl('jina')}/${url}`, { headers }));
}

const SUMMARIES = { 'x-with-links-summary': 'true', 'x-with-images-summary': 'true' };
const TITLE = 'Tidal energy: a practical guide';

describe('the reader in JSON', () => {
  test('gives the page with its facts, and no preamble', async () => {
    const { status, body } = await read({ url: u });
    expect([status, body]).toEqual([
      200,
      {
        code: 200,
        status: 20000,
        data: {
          title: TITLE,
          description: text,
          url: u,
          content: expect.stringMatching(/^## Background\n[\s\S]*!\[Image 1: Cover/),
          publishedTime: expect.stringMatching(/\+00:00$/),
          metadata: expect.objectContaining({ lang: 'en', author: text, 'og:image': text }),
          external: {
            canonical: { [u]: { rel: 'canonical' } },
            icon: { 'https://atlas.example.org/favicon.ico': { rel: 'icon' } },
          },
          usage: { tokens: expect.any(Number) },
        },
        meta: { usage: { tokens: expect.any(Number) } },
      },
    ]);
  });

  test('adds links and images when asked, as a map or as pairs', async () => {
    const { body } = await read({ url: u }, { ...JSON_MODE, ...SUMMARIES });
    expect(body.data).toMatchObject({
      links: { 'Further reading 1': expect.stringMatching(/^https:/) },
      images: { 'Image 1: Cover: tidal energy': expect.stringMatching(/^https:/) },
    });
    const all = await read({ url: u }, { ...JSON_MODE, 'x-with-links-summary': 'all' });
    expect(all.body.data).toMatchObject({
      links: [
        ['Further reading 1', text],
        [text, text],
        [text, text],
      ],
    });
  });

  test('gives the requested formats in their own members', async () => {
    const asText = await read({ url: u }, { ...JSON_MODE, 'x-return-format': 'text' });
    expect(asText.body.data).toMatchObject({ text: expect.stringMatching(/^Tidal/) });
    expect(asText.body.data).not.toHaveProperty('content');
    const both = await read({ url: u, returnFormat: 'markdown+html' });
    expect(both.body.data).toMatchObject({
      content: text,
      html: expect.stringMatching(/^<!doctype/),
    });
  });

  test('counts the pages of a document', async () => {
    const { body } = await read({ url: 'https://atlas.example.org/pdf' });
    expect(body.data).toMatchObject({ numPages: 3 });
  });
});

describe('the reader in text', () => {
  test.each([[{}], [{ accept: '*/*' }], [{ accept: 'application/json, text/plain, */*' }]])(
    'is what one gets for %j',
    async (headers) => {
      const answer = await get(u, headers as Headers);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(Number(answer.headers.get('x-usage-tokens'))).toBeGreaterThan(100);
      expect(answer.text).toMatch(
        /^Title: Tidal energy: a practical guide\n\nURL Source: \S+\n\nPublished Time: \S+\n\nMarkdown Content:\n## Background\n/,
      );
    },
  );

  test('has warnings, page counts and summaries in their places', async () => {
    const missing = await get('https://atlas.example.org/missing');
    expect(missing.text).toMatch(
      /\n\nURL Source: \S+\n\nWarning: Target URL returned error 404: Not Found\n\nMarkdown Content:\n/,
    );
    const pdf = await get('https://atlas.example.org/pdf');
    expect(pdf.text).toContain('\n\nNumber of Pages: 3\n\nMarkdown Content:\n');
    const summed = await get(u, SUMMARIES);
    expect(summed.text).toMatch(/\n\nImages:\n- !\[Image 1: .+\]\(https:\S+\)\n/);
    expect(summed.text).toMatch(/\n\nLinks\/Buttons:\n- \[Further reading 1\]\(https:/);
    const none = await get('https://atlas.example.org/short', SUMMARIES);
    expect(none.text).toContain('Images:\nThis page does not seem to contain any images.');
  });

  test('text and html come bare', async () => {
    expect((await get(u, { 'x-return-format': 'text' })).text).toMatch(/^Tidal energy/);
    expect((await get(u, { 'x-return-format': 'html' })).text).toMatch(/^<!doctype html>/);
  });
});

describe('the address', () => {
  test('may be in the path, with its query, and directives in it work', async () => {
    const page = await get(`${u}?page=2`, JSON_MODE);
    expect(page.body.data).toMatchObject({ url: `${u}?page=2` });
    expect((await get(`${u}?x=[[jina:status=429]]`)).status).toBe(429);
  });

  test('is required, and must be valid', async () => {
    const error = { data: null, code: 400, name: 'ParamValidationError', status: 40001 };
    for (const body of [{}, { url: 'tides' }, []]) {
      expect((await read(body)).body).toMatchObject(error);
    }
    expect((await get('tides')).body).toMatchObject(error);
  });
});

describe('what the reader refuses', () => {
  test.each<[string, Headers]>([
    ['an unknown format', { 'x-return-format': 'pdf' }],
    ['a timeout of nothing', { 'x-timeout': '0' }],
    ['a timeout in words', { 'x-timeout': '30s' }],
    ['a tolerance in words', { 'x-cache-tolerance': 'day' }],
    ['an invalid flag', { 'x-no-cache': '1' }],
    ['a summary of another kind', { 'x-with-links-summary': 'some' }],
    ['an unknown engine', { 'x-engine': 'lynx' }],
  ])('%s is a 400', async (_name, headers) => {
    const { status, body } = await read({ url: u }, { ...JSON_MODE, ...headers });
    expect([status, body.name]).toEqual([400, 'ParamValidationError']);
  });

  test('formats together in text', async () => {
    expect((await get(u, { 'x-return-format': 'markdown+html' })).status).toBe(400);
  });

  test('a form in place of JSON', async () => {
    const headers = { ...JSON_MODE, 'content-type': 'text/plain' };
    expect((await read({ url: u }, headers)).status).toBe(400);
  });

  test.each([
    ['bad-key', 401, 40102, 'AuthenticationFailedError'],
    ['quota-key', 402, 40203, 'InsufficientBalanceError'],
  ])('the key %s; without any key it reads', async (key, code, status, name) => {
    const answer = await read({ url: u }, { ...JSON_MODE, authorization: `Bearer ${key}` });
    expect([answer.status, answer.body]).toEqual([
      code,
      {
        data: null,
        code,
        status,
        name,
        message: text,
        readableMessage: expect.stringMatching(`^${name}: `),
      },
    ]);
  });

  test.each([400, 401, 402, 403, 408, 409, 413, 422, 429, 451, 500, 503])(
    'status %i has its own name',
    async (code) => {
      const { status, body } = await read({ url: `${u}?[[jina:status=${code}]]` });
      expect([status, body]).toMatchObject([
        code,
        { code, name: text, status: expect.any(Number) },
      ]);
      expect(String(body.status)).toMatch(new RegExp(`^${code}`));
    },
  );

  test('errors are one sentence for a client that accepts only text', async () => {
    const answer = await read({ url: `${u}?[[jina:status=429]]` }, { accept: 'text/plain' });
    expect(answer.text).toBe('RateLimitTriggeredError: Per IP rate limit exceeded\n');
  });
});
