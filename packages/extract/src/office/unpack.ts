import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { beyondLimit, counted, PAGE_LIMITS } from '../input/page-limits.ts';

/** The parts of a document that is a ZIP archive. */
export interface ArchiveParts {
  /** Of every entry. */
  readonly names: ReadonlySet<string>;
  /** The bytes of the entries that hold text, by name. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
  /** Some of it is encrypted. */
  readonly isLocked: boolean;
}

const MEBIBYTE = 1024 * 1024;
/** Smaller entries may be packed as tightly as they like. */
const RATIO_FROM_BYTES = MEBIBYTE;
/** Markup, and the entry that names the type of a document. Pictures and archives stay packed. */
const HOLDS_TEXT = /(?:\.(?:xml|rels|opf|ncx|x?html?)|^mimetype)$/i;

/**
 * Unpacks the text of an archive, within limits that apply before anything of it is unpacked. Sizes
 * that an archive states are checked while it is unpacked, and nothing is written to a file.
 * @throws the error of a page above a limit, or that of an archive that is broken
 */
export async function unpack(body: Uint8Array): Promise<ArchiveParts> {
  const zip = await fromBufferPromise(Buffer.from(body.buffer, body.byteOffset, body.byteLength), {
    strictFileNames: true,
    lazyEntries: true,
  });
  if (zip.entryCount > PAGE_LIMITS.archiveEntries)
    throw beyondLimit(`more than ${counted(PAGE_LIMITS.archiveEntries)} files in it`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    // a program may show the other one
    if (entries.has(entry.fileName)) throw new Error('two entries of one name');
    entries.set(entry.fileName, entry);
  }
  const texts = [...entries.values()].filter(({ fileName }) => HOLDS_TEXT.test(fileName));
  checkSizes(texts);
  const isLocked = texts.some((entry) => entry.isEncrypted());
  const names = new Set(entries.keys());
  return { names, bytes: isLocked ? new Map() : await bytesOf(texts, zip), isLocked };
}

function checkSizes(entries: readonly Entry[]): void {
  let sum = 0;
  for (const { compressedSize, uncompressedSize } of entries) {
    sum += uncompressedSize;
    const isTight = uncompressedSize > compressedSize * PAGE_LIMITS.archiveRatio;
    if (isTight && uncompressedSize > RATIO_FROM_BYTES)
      throw beyondLimit(
        `a part of it unpacks to more than ${PAGE_LIMITS.archiveRatio} times its size`,
      );
    if (sum > PAGE_LIMITS.archiveMebibytes * MEBIBYTE)
      throw beyondLimit(`its text unpacks to more than ${PAGE_LIMITS.archiveMebibytes} MiB`);
  }
}

async function bytesOf(entries: readonly Entry[], zip: ZipFile): Promise<Map<string, Uint8Array>> {
  const bytes = new Map<string, Uint8Array>();
  for (const entry of entries)
    bytes.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return bytes;
}
