import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** The longest head of an answer, as in browsers. */
export const HEAD_MAX_BYTES = 256 * 1024;

/**
 * A connection for one request: its answer is repaired, and interim answers are dropped. It ends
 * after all bytes that came, whether the connection broke or was closed.
 */
export function lenientSocket(socket: Socket): Duplex {
  const repair = createRepair();
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, encoding, done) => void socket.write(chunk, encoding, done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
    // on `close`, Node.js drops what has not been read of a body that was cut off
    emitClose: false,
  });
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stream.push(repair.release());
    stream.push(null);
  };
  socket.on('data', (chunk: Buffer) => {
    if (!stream.push(repair.add(chunk))) socket.pause();
  });
  for (const event of ['end', 'error', 'close']) socket.on(event, end);
  return stream;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NOTHING = Buffer.alloc(0);
/** The parser refuses it. */
const NOT_HTTP = Buffer.from('-');

/** Holds bytes back until the head is complete. */
function createRepair() {
  const joinChunks = createChunkJoiner();
  let held: Buffer[] = [];
  let heldBytes = 0;
  let hasLine = false;
  let isLineEmpty = true;
  let isDone = false;
  let isChunked = false;

  /**
   * Where the head ends in these bytes; -1 = not there. Empty lines in front of it are skipped, as
   * servers must.
   */
  const endIn = (bytes: Buffer): number => {
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (byte === LINE_FEED) {
        if (isLineEmpty && hasLine) return index + 1;
        isLineEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) {
        isLineEmpty = false;
        hasLine = true;
      }
    }
    return -1;
  };
  const hold = (bytes: Buffer): void => {
    held.push(bytes);
    heldBytes += bytes.length;
  };
  const release = (): Buffer => {
    const bytes = Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
    hasLine = false;
    isLineEmpty = true;
    return bytes;
  };
  return {
    /** @returns what may be parsed now */
    add(chunk: Buffer): Buffer {
      let rest = chunk;
      while (!isDone) {
        const end = endIn(rest);
        hold(end < 0 ? rest : rest.subarray(0, end));
        isDone = heldBytes > HEAD_MAX_BYTES;
        if (isDone) return NOT_HTTP;
        if (end < 0) return NOTHING;
        rest = rest.subarray(end);
        const head = repairHead(release().toString('latin1'));
        if (isInterim(head)) continue;
        isDone = true;
        isChunked = head.endsWith(CHUNKED_END);
        const body = isChunked ? joinChunks(rest) : rest;
        return Buffer.concat([Buffer.from(head, 'latin1'), body]);
      }
      return isChunked ? joinChunks(rest) : rest;
    },
    /** What was held back and will not become a head. */
    release,
  };
}

const isInterim = (head: string): boolean => head.startsWith('HTTP/1.1 1');

const STATUS_LINE = /^http[/\d.]*[ \t]+(\d{3})(\D.*)?$/i;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const LENGTH = /^\d{1,15}$/;

interface HeaderField {
  /** Empty = the line is not a header. */
  readonly name: string;
  value: string;
}

/**
 * The head of an answer as browsers understand it, written as the parser of Node.js accepts it;
 * unchanged if it is not HTTP. Its lenient mode refuses what is common: a line without a colon, a
 * space before one, a length that is sent twice, empty or no number.
 * https://fetch.spec.whatwg.org/#content-length-header
 * @param head each byte as a character
 */
function repairHead(head: string): string {
  const [start = '', ...lines] = head.trimStart().split(/\r\n|\r|\n/);
  const [, status, reason = ''] = STATUS_LINE.exec(start) ?? [];
  if (status === undefined) return head;
  const fields = fieldsOf(lines);
  const plain = fields.flatMap(({ name, value }) =>
    name === '' || FRAMING.has(name.toLowerCase()) ? [] : [`${name}:${value}`],
  );
  return [`HTTP/1.1 ${status}${reason}`, ...plain, ...framingOf(fields), '', ''].join('\r\n');
}

const CHUNKED = 'Transfer-Encoding: chunked';

/** How a repaired head ends before a body in chunks. */
const CHUNKED_END = `${CHUNKED}\r\n\r\n`;

/** Headers that say where the body ends. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

function fieldsOf(lines: readonly string[]): readonly HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of lines) {
    const isFolded = /^[ \t]/.test(line);
    const last = fields.at(-1);
    if (isFolded && last) last.value += ` ${line.trimStart()}`;
    if (isFolded || line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd();
    fields.push({ name: TOKEN.test(name) ? name : '', value: line.slice(colon + 1) });
  }
  return fields;
}

/** Chunks win over lengths. Lengths that differ are all kept, and the parser refuses them. */
function framingOf(fields: readonly HeaderField[]): readonly string[] {
  const valuesOf = (wanted: string): readonly string[] =>
    fields
      .filter(({ name }) => name.toLowerCase() === wanted)
      .flatMap(({ value }) => value.split(','))
      .map((value) => value.trim());
  if (valuesOf('transfer-encoding').some((coding) => coding.toLowerCase() === 'chunked'))
    return [CHUNKED];
  const lengths = [...new Set(valuesOf('content-length'))];
  const [length = ''] = lengths;
  // without a usable length, the body ends with the connection
  if (lengths.length === 1 && !LENGTH.test(length)) return [];
  return lengths.map((each) => `Content-Length: ${each}`);
}

/** A line between chunks. Browsers accept space around the size, and any extension. */
const SIZE_LINE = /^[ \t]*([\da-f]+)[ \t]*(?:;.*)?$/i;
/** As long as Chromium accepts. */
const LINE_MAX_CHARACTERS = 16 * 1024;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** The parser refuses it, so the body counts as cut off. */
const BAD_CHUNK = Buffer.from('-\r\n');
const CHUNK_END = Buffer.from('\r\n');

/**
 * Writes a body in chunks as the parser of Node.js accepts it: that refuses a bare line feed, and
 * most extensions. All that came together becomes one chunk, since the parser takes a microsecond
 * for each. Nothing after the last one passes.
 */
function createChunkJoiner(): (bytes: Buffer) => Buffer {
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
