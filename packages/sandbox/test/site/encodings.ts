import zlib from 'node:zlib';
import {
  HTML,
  htmlPage,
  type PageAnswer,
  STORY_HTML,
  send,
  type Visit,
} from '../../src/site/visit.ts';
import { numberIn } from './number-in.ts';

/** Bodies with a content encoding, correct and false ones. */

const MEGABYTE = 1024 * 1024;
const BOMB_MEGABYTES = 500;
const PAGE = Buffer.from(htmlPage('Packed', STORY_HTML));

const packed =
  (encoding: string, body: Uint8Array): PageAnswer =>
  (visit) =>
    send(visit, body, { 'content-type': HTML, 'content-encoding': encoding });

/** A valid gzip file of `megabytes` zeros: one block, repeated. */
export function gzipOfZeros(megabytes: number): Buffer {
  const zeros = Buffer.alloc(MEGABYTE);
  const block = zlib.deflateRawSync(zeros, { finishFlush: zlib.constants.Z_FULL_FLUSH, level: 9 });
  let checksum = 0;
  for (let done = 0; done < megabytes; done += 1) checksum = zlib.crc32(zeros, checksum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE((megabytes * MEGABYTE) % 2 ** 32, 4);
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const lastBlock = Buffer.from([3, 0]);
  const blocks = Array.from({ length: megabytes }, () => block);
  return Buffer.concat([header, ...blocks, lastBlock, trailer]);
}

let bomb: Buffer | undefined;

function sendBomb(visit: Visit): void {
  const megabytes = numberIn(visit.query, 'mb', BOMB_MEGABYTES, 4_000);
  if (megabytes === BOMB_MEGABYTES) bomb ??= gzipOfZeros(megabytes);
  const body = megabytes === BOMB_MEGABYTES && bomb ? bomb : gzipOfZeros(megabytes);
  send(visit, body, { 'content-type': HTML, 'content-encoding': 'gzip' });
}

export const ENCODINGS: Readonly<Record<string, PageAnswer>> = {
  '/gzip': packed('gzip', zlib.gzipSync(PAGE)),
  '/br': packed('br', zlib.brotliCompressSync(PAGE)),
  '/deflate': packed('deflate', zlib.deflateSync(PAGE)),
  '/deflate-raw': packed('deflate', zlib.deflateRawSync(PAGE)),
  '/gzip-twice': packed('gzip, gzip', zlib.gzipSync(zlib.gzipSync(PAGE))),
  '/gzip-bad': packed('gzip', PAGE),
  '/gzip-cut': packed('gzip', zlib.gzipSync(PAGE).subarray(0, -40)),
  '/encoding-unknown': packed('made-up', PAGE),
  '/gzip-bomb': sendBomb,
};
