import type { IncomingMessage } from 'node:http';
import { contentCodings } from '@trawl/base';
import { collectBytes } from './collect-bytes.ts';
import { TOO_LARGE, unpackerOf } from './unpack.ts';

export type BodyFault = 'broken' | 'too_large' | 'unknown_coding';

/** A body, unpacked. */
export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** It ended too early, or not all of it could be unpacked. */
  readonly isPartial: boolean;
}

/** Each coding multiplies the work of the one before. */
const CODINGS_MAX = 3;

/**
 * Unpacks a body while it arrives, and stops when it exceeds the limit, packed or unpacked.
 * @param isCut a body above the limit is cut instead of refused
 */
export async function decodeBody(
  body: IncomingMessage,
  contentEncoding: string,
  maxBytes: number,
  isCut = false,
): Promise<DecodedBody | BodyFault> {
  const codings = contentCodings(contentEncoding);
  const unpackers = codings.flatMap((coding) => unpackerOf(coding) ?? []).reverse();
  if (unpackers.length < codings.length || codings.length > CODINGS_MAX) return 'unknown_coding';
  let isBroken = false;
  const onBroken = (): void => {
    isBroken = true;
  };
  const packed = unpackers.length > 0 ? limited(body, maxBytes) : body[Symbol.asyncIterator]();
  const unpacked = unpackers.reduce<AsyncIterator<Buffer>>(
    (stream, unpack) => unpack(stream, { maxBytes, onBroken }),
    packed,
  );
  const collected = collectBytes(maxBytes);
  try {
    for (let next = await unpacked.next(); next.done !== true; next = await unpacked.next())
      if (!collected.add(next.value)) throw TOO_LARGE;
    const bytes = collected.bytes();
    const isPartial = isBroken || !body.complete;
    return isPartial && bytes.length === 0 ? 'broken' : { bytes, isPartial };
  } catch (error) {
    if (error === TOO_LARGE && isCut) return { bytes: collected.bytes(), isPartial: false };
    collected.drop();
    return error === TOO_LARGE ? 'too_large' : 'broken';
  } finally {
    body.destroy();
    await unpacked.return?.();
  }
}

async function* limited(body: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw TOO_LARGE;
    yield chunk;
  }
}
