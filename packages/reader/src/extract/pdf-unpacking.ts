import { beyondLimit } from '../pages/page-limits.ts';

/** Watches what the streams of a PDF unpack to. */
export interface UnpackingLimit {
  /** Rejects with the error of a page beyond a limit, as soon as one stream is. */
  readonly exceeded: Promise<never>;
  isExceeded(): boolean;
  /** Takes the limit away again. */
  release(): void;
}

/**
 * pdf.js puts no bound on a stream, of which 20 MiB can unpack to many GiB, outside of the heap that the thread's limit
 * counts. It unpacks through `DecompressionStream`, or into byte arrays that double. Until it is released, both end at the
 * limit on this thread, which reads one page at a time.
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
  // it may be over before anyone waits for it
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
