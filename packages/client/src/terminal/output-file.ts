import { access, constants, lstat, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** A file that a command writes, at a path that its user named. */
export interface OutputFile {
  /** What names it in messages: its flag. */
  readonly flag: string;
  readonly path: string;
  /** Files that the command reads or also writes. */
  readonly others: readonly (string | undefined)[];
  /** Whether an existing file with this text may be replaced. Absent = any may. */
  readonly mayReplace?: (text: string) => boolean;
}

/**
 * To be called before anything is asked or paid, when the other files are there.
 * @throws Error naming the flag where the file could not be written, or would replace one of the
 *   others, by whatever name, or one of another kind
 */
export async function checkOutput({ flag, path, others, mayReplace }: OutputFile): Promise<void> {
  const refuse = (why: string) => new Error(`${flag}: ${path} ${why}`);
  const place = await stat(path).catch(() => undefined);
  if (place?.isDirectory()) throw refuse('is a folder; name a file');
  const link = place ? undefined : await lstat(path).catch(() => undefined);
  if (link) throw refuse('is a link to a file that does not exist; name that file');
  const own = await identityOf(path);
  for (const other of others) {
    const isOther = other !== undefined && own !== undefined && own === (await identityOf(other));
    if (isOther)
      throw refuse(`is the same file as ${other}, which this command needs; name another file`);
  }
  await access(place ? path : dirname(resolve(path)), constants.W_OK).catch(() => {
    throw refuse('cannot be written; check the path and its permissions');
  });
  if (!place?.isFile() || place.size === 0 || !mayReplace) return;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined || !mayReplace(text))
    throw refuse('exists and is something else; name another file, or remove it');
}

/** Writes the file, if it still may be written. @throws as `checkOutput` */
export async function writeOutput(output: OutputFile, text: string): Promise<void> {
  await checkOutput(output);
  await writeFile(output.path, text);
}

/** Equal for two paths of one file, through links and by any spelling; undefined = not there. */
async function identityOf(path: string): Promise<string | undefined> {
  const place = await stat(path, { bigint: true }).catch(() => undefined);
  return place && `${place.dev}:${place.ino}`;
}
