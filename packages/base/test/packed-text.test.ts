import { setImmediate as turn } from 'node:timers/promises';
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextPacker, type PackText, type RepeatedParts } from '../src/index.ts';

const unpacked = (bytes: Uint8Array): string => inflateSync(bytes).toString('utf8');

/** Packs until the repeated parts are compressed, which happens on another thread. */
async function packedOf(pack: PackText, text: RepeatedParts): Promise<Uint8Array> {
  for (;;) {
    const packed = pack(text);
    if (packed) return packed;
    await turn();
  }
}

const CONTENT = JSON.stringify('Tidal power turns the sea into "electricity". €😀\n'.repeat(300));

test('a text with a repeated part is packed once that part is compressed', async () => {
  const pack = createTextPacker();
  const text = { parts: ['{"id":"1","content":', CONTENT, ',"é":"😀"}'], repeated: [CONTENT] };
  expect(pack(text)).toBeUndefined();
  const packed = await packedOf(pack, text);
  expect(unpacked(packed)).toBe(text.parts.join(''));
  expect(packed.byteLength).toBeLessThan(500);
  const other = { parts: ['[', CONTENT, ',', CONTENT, ']'], repeated: [CONTENT, CONTENT] };
  expect(unpacked(pack(other) ?? new Uint8Array())).toBe(other.parts.join(''));
});

/** Characters of a part. */
const PACKED_MAX = 200_000;

test('any texts around any repeated parts come back, with the checksum of the whole', async () => {
  const long = fc
    .tuple(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.integer({ min: 30, max: 9_000 }),
    )
    // a character that is seen may be many: a longer part is never packed, and the test would wait for it
    .map(([part, times]) => part.repeat(Math.min(times, Math.floor(PACKED_MAX / part.length))));
  const around = fc.string({ unit: 'grapheme', maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(around, long), { minLength: 1, maxLength: 4 }),
      around,
      async (rows, end) => {
        const repeated = rows.map(([, part]) => part);
        const parts = [...rows.flat(), end];
        const packed = await packedOf(createTextPacker(), { parts, repeated });
        const whole = Buffer.from(parts.join(''), 'utf8');
        expect(inflateSync(packed).equals(whole)).toBe(true);
        expect(Buffer.from(packed.slice(-4))).toEqual(deflateSync(whole).subarray(-4));
      },
    ),
    { numRuns: 60 },
  );
});

const LONG = CONTENT.repeat(12);

test.each([
  ['a quarter of it', ['a'.repeat(65_535), LONG, LONG, 'b'], true],
  ['more', ['a'.repeat(20_000), CONTENT, 'b'], false],
  ['one block too long', ['a'.repeat(65_536), LONG, LONG, 'b'], false],
  ['one block too long in bytes', ['a', LONG, LONG, 'é'.repeat(33_000)], false],
  ['a little', ['a'.repeat(4_000), CONTENT, 'b'.repeat(96)], true],
])('of a text is stored as it is: %s', async (_, parts, isPacked) => {
  const [, content = ''] = parts;
  const pack = createTextPacker();
  const bare = { parts: ['{', content, '}'], repeated: [content] };
  expect(unpacked(await packedOf(pack, bare))).toBe(bare.parts.join(''));
  const packed = pack({ parts, repeated: [content] });
  expect(packed && unpacked(packed)).toBe(isPacked ? parts.join('') : undefined);
});

test('a part that would take the thread for long is not packed', async () => {
  const pack = createTextPacker();
  const part = 'x'.repeat(PACKED_MAX + 1);
  const long = { parts: ['{', part, '}'], repeated: [part] };
  for (let use = 0; use < 5; use += 1) expect(pack(long)).toBeUndefined();
});

test('the bytes have memory of their own, so that a message copies nothing else', async () => {
  const text = { parts: ['{', CONTENT, '}'], repeated: [CONTENT] };
  const packed = await packedOf(createTextPacker(), text);
  expect(packed.buffer.byteLength).toBe(packed.byteLength);
});
