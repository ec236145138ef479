import zlib from 'node:zlib';
import type { HttpCall, SecretPart } from '@trawl/providers';
import { growthOf } from '@trawl/test-support/cpu-growth';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { requestPayload } from '../src/runner/request-payload.ts';
import { createSecrets } from '../src/runner/secret.ts';
import { createRunner, KEY, requestTo, targetAt } from './support/calls.ts';

const ODD_KEY = 'k3y/with"odd~parts+ & <more>\\é';

describe('a credential that a provider echoes', () => {
  test.each([
    ['in a 2xx answer', 200],
    ['in an error', 401],
  ])('never reaches value or raw %s', async (_case, status) => {
    const server = await serveHttp((response, { headers }) => {
      sendJson(response, { seen: headers['x-api-key'], list: [`Bearer ${KEY}`, KEY] }, status);
    });
    const result = await createRunner().run(requestTo(targetAt(server.url)));
    expect(JSON.stringify(result)).not.toContain(KEY);
    const scrubbed = { seen: '[redacted]', list: ['Bearer [redacted]', '[redacted]'] };
    expect(result.raw).toEqual(scrubbed);
    if (status === 200) expect(result).toMatchObject({ value: scrubbed });
  });

  test('never reaches a record from a compressed answer, or from text', async () => {
    const server = await serveHttp((response, _request, index) => {
      if (index === 0) {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        });
        response.end(zlib.gzipSync(JSON.stringify({ url: `/search?key=${KEY}` })));
      } else response.writeHead(500, { 'content-type': 'text/html' }).end(`<b>${KEY}</b>`);
    });
    const runner = createRunner();
    const request = requestTo(targetAt(server.url));
    expect((await runner.run(request)).raw).toEqual({ url: '/search?key=[redacted]' });
    expect((await runner.run(request)).raw).toEqual({ body: '<b>[redacted]</b>' });
  });

  test.each([200, 404])(
    'never reaches a value whose markup was removed, status %i',
    async (status) => {
      const split = `${KEY.slice(0, 9)}<b></b>${KEY.slice(9)}`;
      const server = await serveHttp((response) => sendJson(response, { title: split }, status));
      const read = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll(/<[^>]*>/g, ''));
      const request = { ...requestTo(targetAt(server.url)), read };
      const result = await createRunner().run({
        ...request,
        readFailedAnswer: ({ body }) => read(body),
      });
      expect(result).toMatchObject({ status: 'succeeded', value: { title: '[redacted]' } });
    },
  );

  test("never reaches a declaration's reading of a failure", async () => {
    const bodies: unknown[] = [];
    const server = await serveHttp((response) => sendJson(response, { key: KEY }, 403));
    const target = targetAt(server.url, {
      readFailure: ({ body }) => {
        bodies.push(body);
        return undefined;
      },
    });
    await createRunner().run(requestTo(target));
    expect(bodies).toEqual([{ key: '[redacted]' }]);
  });
});

describe('secret parts of a declared provider', () => {
  const secretParts: readonly SecretPart[] = [
    {
      in: 'header',
      name: 'X-Token',
      written: `Token \${A}`,
      value: `Token ${ODD_KEY.slice(0, -1)}`,
      variables: ['A'],
      secrets: [ODD_KEY.slice(0, -1)],
    },
    {
      in: 'query',
      name: 'key',
      written: `\${B}`,
      value: 'b+ b/secret',
      variables: ['B'],
      secrets: ['b+ b/secret'],
    },
  ];

  test('are sent, are in no record, and are removed from what is echoed', async () => {
    const server = await serveHttp((response, { headers, url }) => {
      sendJson(response, { token: headers['x-token'], url });
    });
    const target = targetAt(server.url, { authentication: { in: 'none' }, secretParts });
    const call: HttpCall = { method: 'GET', path: '/s?f=1', query: { q: 'owls', key: 'mine' } };
    const result = await createRunner().run({ ...requestTo(target), call });
    expect(server.received[0]?.headers['x-token']).toBe(secretParts[0]?.value);
    const { searchParams } = new URL(server.received[0]?.url ?? '', server.url);
    expect([...searchParams]).toEqual([
      ['f', '1'],
      ['q', 'owls'],
      ['key', 'b+ b/secret'],
    ]);
    expect(result.raw).toEqual({ token: 'Token [redacted]', url: '/s?f=1&q=owls&key=[redacted]' });
    const payload = requestPayload(target, call);
    expect(payload.url).toBe(`${server.url}/s?f=1&q=owls`);
    expect(payload.headers).not.toHaveProperty('x-token');
  });
});

describe('scrubbing', () => {
  const scrub = (credential: string, text: string) =>
    createSecrets()('exa', credential).scrub(Buffer.from(text));
  const json = JSON.stringify(ODD_KEY).slice(1, -1);
  const uri = encodeURIComponent(ODD_KEY);
  const form = new URLSearchParams({ k: ODD_KEY }).toString().slice(2);
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  const unicode = (text: string, pattern: RegExp) =>
    text.replace(pattern, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

  test.each([
    ['as it is', ODD_KEY],
    ['in JSON', json],
    ['in JSON with escaped slashes', json.replaceAll('/', '\\/')],
    ['in JSON with escaped HTML characters', unicode(json, /[<>&+]/g)],
    [
      'in JSON with capital hex digits',
      unicode(json, /[<>]/g).replace(/003[ce]/g, (hex) => hex.toUpperCase()),
    ],
    ['in ASCII JSON', unicode(json, /é/g)],
    ['in a URL', uri],
    ['in a URL with small hex digits', lower(uri)],
    ['in a form', form],
    ['in a form with small hex digits', lower(form)],
  ])('finds an odd key %s', (_case, echo) => {
    expect(scrub(ODD_KEY, `{"a":"<${echo}>","b":"${echo}"}`)).toBe(
      '{"a":"<[redacted]>","b":"[redacted]"}',
    );
  });

  const each = (spell: (point: number) => string) =>
    Array.from(KEY, (character) => spell(character.charCodeAt(0))).join('');
  test.each([
    ['decimal references', each((point) => `&#${point};`)],
    ['references with zeros', each((point) => `&#000${point};`)],
    ['hexadecimal references', each((point) => `&#X${point.toString(16)};`)],
    ['escaped references', each((point) => `&amp;#${point};`)],
    ['percent signs', each((point) => `%${point.toString(16)}`)],
    ['escaped percent signs', each((point) => `%25${point.toString(16).toUpperCase()}`)],
    ['escapes of JSON', each((point) => `\\u00${point.toString(16)}`)],
    ['one escape', KEY.replace('test', 't%65st')],
  ])('finds a plain key in %s', (_case, echo) => {
    expect(scrub(KEY, `{"a":"<${echo}>","b":"${echo}"}`)).toBe(
      '{"a":"<[redacted]>","b":"[redacted]"}',
    );
  });

  test('finds what is a key only after markup was removed, and leaves all else', () => {
    const { scrubValue } = createSecrets()('exa', KEY);
    const clean = { url: 'https://a.example/', list: [1, null, 'x'], deep: { a: [{}] } };
    expect(scrubValue(clean)).toBe(clean);
    const rows = [clean, { title: `a ${KEY}`, ['__proto__']: [KEY], count: 10n }];
    const found = scrubValue({ rows, usage: null });
    expect(found).toEqual({
      rows: [clean, { title: 'a [redacted]', ['__proto__']: ['[redacted]'], count: 10n }],
      usage: null,
    });
    expect(found.rows[0]).toBe(clean);
    expect(rows[1]).toHaveProperty('title', `a ${KEY}`);
  });

  test('reads a long run of backslashes once, and finds a key after it', async () => {
    const { scrub: scrubOf } = createSecrets()('exa', KEY);
    const { fault } = await growthOf({
      given: (length) => Buffer.from(`{"a":"%41","b":"${'\\'.repeat(length)}"}`),
      work: scrubOf,
      most: 4_000_000,
    });
    expect(fault).toBeUndefined();
    const echo = each((point) => `\\u00${point.toString(16)}`);
    const found = scrub(KEY, `{"b":"${'\\'.repeat(100_001)}${echo}"}`);
    expect(found.endsWith('[redacted]"}')).toBe(true);
    expect(found).not.toContain('u00');
  });

  test('treats every character of a key literally', () => {
    expect(scrub('a.c(d)*[e]$^{2}|?', 'abc(d)*[e] a.c(d)*[e]$^{2}|?')).toBe(
      'abc(d)*[e] [redacted]',
    );
    expect(scrub('....////', 'no dots or slashes')).toBe('no dots or slashes');
  });

  test.each([
    ['declared first', ['planted-secret', 'planted-secret/longer']],
    ['declared last', ['planted-secret/longer', 'planted-secret']],
  ])('leaves nothing of a secret that begins with another one, %s', (_case, secrets) => {
    const { scrub: scrubBoth } = createSecrets()('exa', undefined, secrets);
    expect(scrubBoth(Buffer.from('planted-secret planted-secret/longer planted-secret'))).toBe(
      '[redacted] [redacted] [redacted]',
    );
  });

  test('leaves words that are short enough to be a coincidence', () => {
    expect(scrub('search', '{"type":"search"}')).toBe('{"type":"search"}');
  });

  test('leaves an answer without the key unchanged', () => {
    const text = '{"a":"sk-test-0123456789abcde"}';
    expect(scrub(KEY, text)).toBe(text);
    expect(createSecrets()('exa', undefined).scrub(Buffer.from(text))).toBe(text);
  });
});
