import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compressedRunText, decodeRunText, unpackRunText } from '../src/recorder/run-text.ts';

it('gives back any text unchanged', () => {
  const long = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.integer({ min: 0, max: 300 }))
    .map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(long, (text) => {
      const body = compressedRunText(text);
      if (body) expect(decodeRunText({ encoding: 'deflate', body })).toBe(text);
      expect(decodeRunText({ encoding: 'utf8', body: text })).toBe(text);
      expect(decodeRunText({ encoding: 'utf8', body: Buffer.from(text) })).toBe(text);
    }),
  );
});

it('compresses long texts only, and only where that makes them smaller', () => {
  expect(compressedRunText('a'.repeat(1024))?.byteLength).toBeLessThan(100);
  expect(compressedRunText('a'.repeat(1023))).toBeUndefined();
  const random = crypto.getRandomValues(new Uint8Array(4_000));
  const dense = Buffer.from(random).toString('latin1');
  const compressed = compressedRunText(dense)?.byteLength ?? 0;
  expect(compressed).toBeLessThan(Buffer.byteLength(dense));
});

it('reads a body that is a part of a larger buffer', () => {
  const body = compressedRunText('harbour '.repeat(500)) ?? new Uint8Array();
  const part = new Uint8Array([1, 2, 3, ...body, 4]).subarray(3, 3 + body.length);
  expect(decodeRunText({ encoding: 'deflate', body: part })).toBe('harbour '.repeat(500));
});

it.each([
  ['small', 'harbour '.repeat(500)],
  ['that packs very well', 'a'.repeat(5_000_000)],
  ['that packs badly', Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex')],
])('unpacks a text %s up to a number of bytes', async (_name, text) => {
  const body = compressedRunText(text) ?? new Uint8Array();
  const unpack = (bytesMax: number) => unpackRunText({ encoding: 'deflate', body }, bytesMax);
  expect((await unpack(text.length)) === text).toBe(true);
  expect((await unpack(Number.POSITIVE_INFINITY)) === text).toBe(true);
  expect(await unpack(text.length - 1)).toBeUndefined();
  expect(await unpack(0)).toBeUndefined();
  await expect(
    unpackRunText({ encoding: 'deflate', body: body.subarray(0, -9) }, text.length),
  ).rejects.toThrow('unexpected end of file');
});
