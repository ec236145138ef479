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

/** The bytes of all text in it. */
export const unpackedBytes = ({ bytes }: ArchiveParts): number =>
  [...bytes.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);

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
  try {
    for await (const entry of zip.eachEntry()) {
      // a program may show the other one
      if (entries.has(entry.fileName)) throw new Error('two entries of one name');
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    const names = stronglyLocked(body);
    if (names === null) throw error;
    return { names, bytes: new Map(), isLocked: true };
  }
  const texts = [...entries.values()].filter(({ fileName }) => HOLDS_TEXT.test(fileName));
  checkSizes(texts);
  const isLocked = texts.some((entry) => entry.isEncrypted());
  const names = new Set(entries.keys());
  return { names, bytes: isLocked ? new Map() : await bytesOf(texts, zip), isLocked };
}

/** At an entry of the list of an archive, and where its flags and its name are (APPNOTE 4.3.12). */
const ENTRY = 'PK\x01\x02';
const FLAGS_AT = 8;
const NAME_LENGTH_AT = 28;
const NAME_AT = 46;
const STRONG = 0x40;

/** The names in an archive of strong encryption, which the library refuses; null = it has none. */
function stronglyLocked(body: Uint8Array): ReadonlySet<string> | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const names = new Set<string>();
  let isStrong = false;
  for (
    let at = bytes.indexOf(ENTRY, 0, 'latin1');
    at >= 0;
    at = bytes.indexOf(ENTRY, at + 1, 'latin1')
  ) {
    if (at + NAME_AT > bytes.length) break;
    isStrong ||= (bytes.readUInt16LE(at + FLAGS_AT) & STRONG) !== 0;
    const end = at + NAME_AT + bytes.readUInt16LE(at + NAME_LENGTH_AT);
    names.add(bytes.toString('utf8', at + NAME_AT, end));
  }
  return isStrong ? names : null;
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
