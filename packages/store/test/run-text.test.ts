import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeRunText, encodeRunText } from '../src/recorder/run-text.ts';

it('gives back any text unchanged', () => {
  const long = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.integer({ min: 0, max: 300 }))
    .map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(long, (text) => {
      expect(decodeRunText(encodeRunText(text))).toBe(text);
    }),
  );
});

it('compresses long texts, and never stores more bytes than a text has', () => {
  expect(encodeRunText('a'.repeat(1024))).toMatchObject({ encoding: 'deflate' });
  expect(encodeRunText('a'.repeat(1023))).toMatchObject({ encoding: 'utf8' });
  const random = crypto.getRandomValues(new Uint32Array(4_000));
  const dense = String.fromCodePoint(...random.map((value) => value % 0xd000));
  expect(encodeRunText(dense).body.byteLength).toBeLessThanOrEqual(Buffer.byteLength(dense));
});

it('reads a body that the driver returns as an ArrayBuffer', () => {
  const { encoding, body } = encodeRunText('harbour '.repeat(500));
  expect(decodeRunText({ encoding, body: new Uint8Array(body).buffer })).toBe(
    'harbour '.repeat(500),
  );
});
