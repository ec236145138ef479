const CHUNK_BYTES = 64 * 1024;

/**
 * Copies into one buffer that grows in place: address space is reserved first, memory is taken as
 * it fills. A buffer that doubles would leave copies until the next garbage collection. A list of
 * chunks would cost a hundred times its bytes when a server sends single bytes.
 */
export function collectBytes(maxBytes: number) {
  const buffer = new ArrayBuffer(0, { maxByteLength: maxBytes });
  let size = 0;
  return {
    /** false = the limit is exceeded; what fits is kept. */
    add(whole: Uint8Array): boolean {
      const chunk = whole.subarray(0, maxBytes - size);
      const needed = size + chunk.length;
      if (needed > buffer.byteLength) {
        buffer.resize(Math.min(maxBytes, Math.max(needed, CHUNK_BYTES, 2 * buffer.byteLength)));
      }
      new Uint8Array(buffer, size, chunk.length).set(chunk);
      size = needed;
      return chunk.length === whole.length;
    },
    /**
     * What was collected, in memory of its own, so that it can be transferred to another thread.
     */
    bytes(): Uint8Array<ArrayBuffer> {
      buffer.resize(size);
      return new Uint8Array(buffer, 0, size);
    },
    /** Frees the memory at once. */
    drop: (): void => buffer.resize(0),
  };
}
