import { beyondLimit } from '../input/page-limits.ts';

/** Limits the size to which the streams of a PDF unpack. */
export interface UnpackingLimit {
  /** Rejects as soon as one stream exceeds the limit, with the error of a page above a limit. */
  readonly exceeded: Promise<never>;
  isExceeded(): boolean;
  /** Removes the limit. */
  release(): void;
}

/**
 * pdf.js does not limit a stream: 20 MiB can unpack to many GiB, outside of the heap that the thread's limit counts. It
 * unpacks through `DecompressionStream`, or into byte arrays that double. Until release, both stop at the limit on this
 * thread, which reads one page at a time.
 */
export function limitUnpacking(maxMebibytes: number): UnpackingLimit {
  const maxBytes = maxMebibytes * 1024 * 1024;
  const own = { Uint8Array: globalThis.Uint8Array, DecompressionStream };
  let isExceeded = false;
  let exceed: () => Error = () => new Error('too large');
  const exceeded = new Promise<never>((_resolve, reject) => {
    exceed = () => {
      const error = beyondLimit(`a part of it unpacks to more than ${maxMebibytes} MiB`);
      isExceeded = true;
      reject(error);
      return error;
    };
  });
  // it may reject before anything awaits it
  exceeded.catch(() => undefined);
  Object.assign(globalThis, {
    Uint8Array: new Proxy(own.Uint8Array, {
      construct: (target, given, newTarget) => {
        if (typeof given[0] === 'number' && given[0] > maxBytes) throw exceed();
        return Reflect.construct(target, given, newTarget);
      },
    }),
    DecompressionStream: new Proxy(own.DecompressionStream, {
      construct: (target, given) => limited(Reflect.construct(target, given), maxBytes, exceed),
    }),
  });
  return {
    exceeded,
    isExceeded: () => isExceeded,
    release: () => void Object.assign(globalThis, own),
  };
}

function limited(unpacking: DecompressionStream, maxBytes: number, exceed: () => Error) {
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw exceed();
      controller.enqueue(chunk);
    },
  });
  return { writable: unpacking.writable, readable: unpacking.readable.pipeThrough(counting) };
}
