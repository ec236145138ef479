import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BodyPart, createBodyStream } from '../../src/http/body-stream.ts';

async function read(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

const encoded = (parts: readonly BodyPart[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

/** Long enough for several pieces, with characters of one to four bytes. */
const longText = fc
  .array(fc.constantFrom('a', 'é', '€', '😀', 'xyz'), { minLength: 1, maxLength: 7 })
  .chain((signs) => fc.nat(30_000).map((times) => signs.join('').repeat(times)));

/** Reports where it failed, without the texts themselves. */
function reporter<Case>({ failed, seed, counterexamplePath }: fc.RunDetails<Case>): void {
  if (failed) throw new Error(`failed with seed ${seed} at ${counterexamplePath}`);
}

describe('a body stream', () => {
  it('returns the bytes of its parts, in pieces of at most 100,000', async () => {
    const part = fc.oneof(longText, fc.string(), fc.uint8Array({ maxLength: 100_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const body = createBodyStream();
        body.push(...parts);
        body.end();
        const announced = body.waitingBytes();
        const pieces = await read(body.stream);
        const all = Buffer.concat(pieces);
        if (announced !== all.length || !all.equals(encoded(parts))) return false;
        const largest = Math.max(0, ...pieces.map(({ length }) => length));
        return largest <= 100_000 && body.waitingBytes() === 0;
      }),
      { numRuns: 50, reporter },
    );
  });

  it('encodes nothing before it is read', async () => {
    const body = createBodyStream();
    body.push('x'.repeat(1_000_000));
    const reader = body.stream.getReader();
    const { value } = await reader.read();
    expect(body.waitingBytes()).toBe(1_000_000 - (value?.length ?? 0));
  });

  it('waits for later parts', async () => {
    const body = createBodyStream();
    const pieces = read(body.stream);
    body.push('a');
    body.push('b');
    body.end();
    expect(Buffer.concat(await pieces).toString()).toBe('ab');
  });

  it('drops everything when its client is gone', async () => {
    const body = createBodyStream();
    let ends = 0;
    body.onEnd(() => {
      ends += 1;
    });
    body.push('x'.repeat(1_000_000));
    const reader = body.stream.getReader();
    await reader.read();
    const unanswered = reader.read();
    await unanswered;
    await reader.cancel();
    body.push('y');
    body.end();
    expect([body.waitingBytes(), ends]).toEqual([0, 1]);
  });

  it('without a reader ends when it is cancelled', async () => {
    const body = createBodyStream();
    const reader = body.stream.getReader();
    const pending = reader.read();
    await reader.cancel();
    expect(await pending).toMatchObject({ done: true });
  });
});
