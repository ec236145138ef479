/** A line between chunks. Browsers accept space around the size, and any extension. */
const SIZE_LINE = /^[ \t]*([\da-f]+)[ \t]*(?:;.*)?$/i;
/** As long as Chromium accepts. */
const LINE_MAX_CHARACTERS = 16 * 1024;
const LINE_FEED = 10;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** The parser refuses it, so the body counts as cut off. */
const BAD_CHUNK = Buffer.from('-\r\n');
const CHUNK_END = Buffer.from('\r\n');
const NOTHING = Buffer.alloc(0);

/**
 * Writes a body in chunks as the parser of Node.js accepts it: that refuses a bare line feed, and
 * most extensions. All that came together becomes one chunk, since the parser takes a microsecond
 * for each. Nothing after the last one passes.
 */
export function createChunkJoiner(): (bytes: Buffer) => Buffer {
  let chunkBytes = 0;
  /** What has come of a line. */
  let line = '';
  let end: Buffer | undefined;

  /** The line is complete. An empty one is the end of the chunk before. */
  const readLine = (): void => {
    const text = line.trimEnd();
    line = '';
    if (text === '') return;
    const [, digits = ''] = SIZE_LINE.exec(text) ?? [];
    chunkBytes = Number.parseInt(digits, 16);
    if (chunkBytes === 0) end = LAST_CHUNK;
    else if (!Number.isSafeInteger(chunkBytes)) end = BAD_CHUNK;
  };
  return (bytes) => {
    if (end) return NOTHING;
    const data = Buffer.allocUnsafe(bytes.length);
    let size = 0;
    let at = 0;
    while (at < bytes.length && !end) {
      if (chunkBytes > 0) {
        const copied = bytes.copy(data, size, at, at + chunkBytes);
        chunkBytes -= copied;
        size += copied;
        at += copied;
        continue;
      }
      const found = bytes.indexOf(LINE_FEED, at);
      const lineEnd = found < 0 ? bytes.length : found;
      line += bytes.toString('latin1', at, lineEnd);
      at = lineEnd + 1;
      if (found >= 0) readLine();
      else if (line.length > LINE_MAX_CHARACTERS) end = BAD_CHUNK;
    }
    const start = Buffer.from(`${size.toString(16)}\r\n`);
    const joined = size > 0 ? [start, data.subarray(0, size), CHUNK_END] : [];
    return Buffer.concat([...joined, end ?? NOTHING]);
  };
}
