import { beyondLimit } from '../input/page-limits.ts';

/** Limits the size to which the streams of a PDF unpack. */
export interface UnpackingLimit {
  /**
   * Rejects as soon as a stream, or all of a part, exceeds its limit, with the error of a page
   * above a limit.
   */
  readonly exceeded: Promise<never>;
  isExceeded(): boolean;
  /**
   * What comes next, such as a page, has the whole limit again. @returns bytes taken since the last
   * start
   */
  startPart(): number;
  /** Removes the limit. */
  release(): void;
}

const MEBIBYTE = 1024 * 1024;
/** Smaller arrays are not counted: they belong to characters and fonts, and there are many. */
const COUNTED_FROM_BYTES = 1024;

/**
 * pdf.js does not limit a stream: 20 MiB can unpack to many GiB, outside of the heap that the
 * thread's limit counts. It unpacks through `DecompressionStream`, or into byte arrays that double.
 * Until release, both stop at the limit on this thread, which reads one page at a time. Streams may
 * be small and many, each inside of another: what they take is also counted together. How long each
 * is in use is not known, so all of a part counts.
 */
export function limitUnpacking(streamMebibytes: number, partMebibytes: number): UnpackingLimit {
  const own = { Uint8Array: globalThis.Uint8Array, DecompressionStream };
  let isExceeded = false;
  let exceed: (limit: string) => Error = beyondLimit;
  const exceeded = new Promise<never>((_resolve, reject) => {
    exceed = (limit) => {
      const error = beyondLimit(limit);
      isExceeded = true;
      reject(error);
      return error;
    };
  });
  // it may reject before anything awaits it
  exceeded.catch(() => undefined);
  let taken = 0;
  /** @param streamBytes of the stream so far, of which `bytes` are new */
  const take = (bytes: number, streamBytes: number): void => {
    taken += bytes;
    if (streamBytes > streamMebibytes * MEBIBYTE) {
      throw exceed(`a part of it unpacks to more than ${streamMebibytes} MiB`);
    }
    if (taken > partMebibytes * MEBIBYTE) {
      throw exceed(`one page of it takes more than ${partMebibytes} MiB to unpack`);
    }
  };
  Object.assign(globalThis, {
    Uint8Array: new Proxy(own.Uint8Array, {
      construct: (target, given, newTarget) => {
        const [size] = given;
        if (typeof size === 'number' && size >= COUNTED_FROM_BYTES) take(size, size);
        return Reflect.construct(target, given, newTarget);
      },
    }),
    DecompressionStream: new Proxy(own.DecompressionStream, {
      construct: (target, given) => limited(Reflect.construct(target, given), take),
    }),
  });
  return {
    exceeded,
    isExceeded: () => isExceeded,
    startPart: () => {
      const before = taken;
      // above the limit everything stays refused
      if (!isExceeded) taken = 0;
      return before;
    },
    release: () => void Object.assign(globalThis, own),
  };
}

function limited(
  unpacking: DecompressionStream,
  take: (bytes: number, streamBytes: number) => void,
) {
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      take(chunk.byteLength, bytes);
      controller.enqueue(chunk);
    },
  });
  return { writable: unpacking.writable, readable: unpacking.readable.pipeThrough(counting) };
}
