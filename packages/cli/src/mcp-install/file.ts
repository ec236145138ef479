import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MARK = '\ufeff';
/** Settings files may have keys in plain text, of other servers. */
const PRIVATE = 0o600;

/** A settings file as it was read. */
export interface SettingsText {
  /** Where it really is, behind links. */
  readonly path: string;
  /** Without a byte order mark; empty if the file does not exist. */
  readonly text: string;
  /** Absent if the file does not exist. */
  readonly bytes?: Buffer;
}

/** @throws Error naming the file that cannot be read, and the reason */
export function readSettings(path: string): SettingsText {
  try {
    const real = lstatSync(path, { throwIfNoEntry: false }) ? realpathSync(path) : path;
    if (!existsSync(real)) return { path: real, text: '' };
    const bytes = readFileSync(real);
    return { path: real, bytes, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    throw named(path, 'it cannot be read', error);
  }
}

/**
 * Replaces the text in one step, after a copy of the file before; both with the same owner and
 * permissions, and only if no other program has changed it since it was read.
 * @param stamp part of the name of the copy, such as `20261129T144100Z`
 * @returns the path of the copy; undefined if there was no file
 * @throws Error naming the file and the reason; then nothing is changed
 */
export function replaceSettings(
  { path, bytes }: SettingsText,
  text: string,
  stamp: string,
): string | undefined {
  const made: string[] = [];
  try {
    mkdirSync(dirname(path), { recursive: true });
    // a file that may not be written could still be replaced
    if (bytes) accessSync(path, constants.W_OK);
    const mark = bytes?.subarray(0, 3).equals(Buffer.from(MARK)) ? MARK : '';
    const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    writeFileSync(draft, mark + text, { mode: PRIVATE, flag: 'wx' });
    made.push(draft);
    if (bytes) takeOver(path, draft);
    const now = existsSync(path) ? readFileSync(path) : undefined;
    if (bytes ? !now?.equals(bytes) : now) {
      throw new Error('another program has just changed it: run this again');
    }
    const copy = bytes && `${path}.${stamp}.bak`;
    if (copy !== undefined) {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      made.push(copy);
      takeOver(path, copy);
    }
    renameSync(draft, path);
    return copy;
  } catch (error) {
    for (const each of made) rmSync(each, { force: true });
    throw named(path, 'it cannot be written', error);
  }
}

/** Gives a new file owner and permissions of another. @throws Error if this user may not */
function takeOver(path: string, to: string): void {
  const { uid, gid, mode } = statSync(path);
  const own = statSync(to);
  if (own.uid !== uid || own.gid !== gid) chownSync(to, uid, gid);
  chmodSync(to, mode & 0o777);
}

function named(path: string, what: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : code;
  return new Error(`${path}: ${what}: ${reason ?? message}`);
}
