import { once } from 'node:events';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BodyPart } from '@trawl/base';
import { type BodyStream, createBodyStream } from '@trawl/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Takes what is written, a piece in each turn of the event loop. */
function answerOf(): { readonly answer: Writable; readonly pieces: readonly Buffer[] } {
  const pieces: Buffer[] = [];
  const write = (piece: Buffer, _encoding: string, taken: () => void) => {
    pieces.push(piece);
    void nextTurn().then(taken);
  };
  return { answer: new Writable({ highWaterMark: 1, write }), pieces };
}

async function written(body: BodyStream): Promise<readonly Buffer[]> {
  const { answer, pieces } = answerOf();
  body.writeTo(answer);
  await once(answer, 'finish');
  return pieces;
}

/** How often its end was reported so far. */
function endsOf(body: BodyStream): () => number {
  let ends = 0;
  body.onEnd(() => {
    ends += 1;
  });
  return () => ends;
}

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
  it.each([
    ['returns', (body: BodyStream) => read(body.stream())],
    ['writes', written],
  ])('%s the bytes of its parts, in pieces of at most 100,000', async (_name, take) => {
    const part = fc.oneof(longText, fc.string(), fc.uint8Array({ maxLength: 100_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const body = createBodyStream();
        body.push(parts);
        body.end();
        const announced = body.waitingBytes();
        const pieces = await take(body);
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
    body.push(['x'.repeat(1_000_000)]);
    const reader = body.stream().getReader();
    const { value } = await reader.read();
    expect(body.waitingBytes()).toBe(1_000_000 - (value?.length ?? 0));
  });

  it('waits for later parts', async () => {
    const body = createBodyStream();
    const pieces = read(body.stream());
    body.push(['a']);
    body.push(['b']);
    body.end();
    expect(Buffer.concat(await pieces).toString()).toBe('ab');
  });

  it('drops everything when its client is gone', async () => {
    const body = createBodyStream();
    const ends = endsOf(body);
    body.push(['x'.repeat(1_000_000)]);
    const reader = body.stream().getReader();
    await reader.read();
    const unanswered = reader.read();
    await unanswered;
    await reader.cancel();
    body.push(['y']);
    body.end();
    expect([body.waitingBytes(), ends()]).toEqual([0, 1]);
  });

  it('without a reader ends when it is cancelled', async () => {
    const body = createBodyStream();
    const reader = body.stream().getReader();
    const pending = reader.read();
    await reader.cancel();
    expect(await pending).toMatchObject({ done: true });
  });
});

describe('a body that is written', () => {
  it('is encoded as its client takes it', async () => {
    const body = createBodyStream();
    const { answer, pieces } = answerOf();
    body.push(['x'.repeat(1_000_000)]);
    body.writeTo(answer);
    expect(pieces).toHaveLength(1);
    expect(body.waitingBytes()).toBe(1_000_000 - (pieces[0]?.length ?? 0));
    await once(answer, 'drain');
    expect(pieces).toHaveLength(2);
  });

  it('goes on with later parts', async () => {
    const body = createBodyStream();
    const { answer, pieces } = answerOf();
    const ends = endsOf(body);
    body.writeTo(answer);
    body.push(['a']);
    await once(answer, 'drain');
    expect(ends()).toBe(0);
    body.push(['b']);
    body.end();
    await once(answer, 'close');
    expect([pieces.map(String), ends()]).toEqual([['a', 'b'], 1]);
  });

  it('is dropped when its client is gone, and what is pushed later too', async () => {
    const body = createBodyStream();
    const { answer, pieces } = answerOf();
    const ends = endsOf(body);
    body.push(['x'.repeat(1_000_000)]);
    body.writeTo(answer);
    answer.destroy();
    await once(answer, 'close');
    body.push(['y']);
    body.end();
    expect([pieces.length, body.heldBytes(), ends()]).toEqual([1, 0, 1]);
  });

  it('is dropped when its client was gone before', async () => {
    const { answer } = answerOf();
    answer.destroy();
    await once(answer, 'close');
    const body = createBodyStream();
    body.push(['x']);
    body.writeTo(answer);
    body.push(['y']);
    expect(body.heldBytes()).toBe(0);
  });

  it('is dropped when a write fails', async () => {
    const body = createBodyStream();
    const refused = new Error('refused');
    const answer = new Writable({ write: (_piece, _encoding, taken) => taken(refused) });
    body.writeTo(answer);
    body.push(['x'.repeat(1_000_000)]);
    await new Promise((resolve) => answer.once('close', resolve));
    expect(body.heldBytes()).toBe(0);
  });
});
