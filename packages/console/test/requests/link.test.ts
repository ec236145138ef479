import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeRequest, encodePlainRequest, encodeRequest } from '../../src/requests/link.ts';
import type { PlannedRequest } from '../../src/requests/planned.ts';

const SEARCH: PlannedRequest = {
  mode: 'search',
  body: { user_input: { query: 'Gezeiten – 潮汐 🌊' }, search: { tier: 'max', num_results: 3 } },
};

const linkOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a link to the playground', () => {
  test('carries a request', async () => {
    const link = await encodeRequest(SEARCH);
    expect(link).toMatch(/^[\w-]+$/);
    expect(await decodeRequest(link ?? '')).toEqual(SEARCH);
    expect(link).toBe(linkOf(SEARCH));
    expect(encodePlainRequest(SEARCH)).toBe(link);
  });

  test('is compressed where the request is large', async () => {
    const queries = Array.from({ length: 32 }, (_, at) => ({
      query: `the tides of harbour ${at}, `.repeat(9),
    }));
    const request: PlannedRequest = { mode: 'search', body: { user_input: queries } };
    const link = await encodeRequest(request);
    expect(link).toMatch(/^z\.[\w-]+$/);
    expect(link?.length).toBeLessThan(2_000);
    expect(await decodeRequest(link ?? '')).toEqual(request);
  });

  test('is not made of a request that no server would take in an address', async () => {
    const noise = Array.from({ length: 9_000 }, (_, at) =>
      ((at * 7_919) % 65_521).toString(36),
    ).join('');
    const request: PlannedRequest = { mode: 'search', body: { user_input: { query: noise } } };
    expect(await encodeRequest(request)).toBeNull();
    expect(encodePlainRequest(request)).toBeNull();
  });

  test('any JSON comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), async (body) => {
        const sent = JSON.parse(JSON.stringify({ mode: 'fetch', body }));
        const link = await encodeRequest({ mode: 'fetch', body });
        expect(await decodeRequest(link ?? '')).toEqual(sent);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a text that is not a link', () => {
  const nested = (levels: number): unknown =>
    JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

  test.each([
    ['nothing', ''],
    ['a word', 'hello'],
    ['markup', '<script>alert(1)</script>'],
    ['no base64', '%%%'],
    ['a number', linkOf(1)],
    ['null', linkOf(null)],
    ['a list', linkOf([SEARCH])],
    ['another mode', linkOf({ mode: 'delete', body: {} })],
    ['no body', linkOf({ mode: 'search' })],
    ['a list as body', linkOf({ mode: 'search', body: [] })],
    ['deep nesting', linkOf({ mode: 'search', body: nested(70) })],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')],
    ['a damaged compressed text', 'z.AAAA_not-deflate'],
    ['an empty compressed text', 'z.'],
    [
      'a cut compressed text',
      `z.${deflateRawSync(JSON.stringify(SEARCH)).subarray(0, 20).toString('base64url')}`,
    ],
    [
      'a compressed text that grows to 64 MB',
      `z.${deflateRawSync(Buffer.alloc(67_108_864, 0x20)).toString('base64url')}`,
    ],
    ['a text of a megabyte', 'A'.repeat(1_048_576)],
  ])('%s is read as no request', async (_, text) => {
    expect(await decodeRequest(text)).toBeNull();
  });

  test('any text is read without an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.boolean(), async (text, isPacked) => {
        await decodeRequest(isPacked ? `z.${text}` : text);
      }),
      { numRuns: 200 },
    );
  });

  test('a member named __proto__ stays a plain member', async () => {
    const link = Buffer.from('{"mode":"search","body":{"__proto__":{"polluted":true}}}').toString(
      'base64url',
    );
    const request = await decodeRequest(link);
    expect(Object.keys(request?.body ?? {})).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
