import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseLocation, makeDataDir } from '@trawl/database';

/** A stream that can be read again. */
export interface KeptCopy {
  /** The stream, which is kept while it is read. */
  first(): AsyncIterable<Uint8Array>;
  again(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Keeps a stream in a file that has no name, so nothing stays behind when the process is killed. It
 * is on the disk of the embedded database, which will hold the same; for PostgreSQL in the folder
 * of temporary files.
 */
export async function keptCopy(
  { databaseUrl, dataDir }: DatabaseLocation,
  input: AsyncIterable<Uint8Array>,
): Promise<KeptCopy> {
  if (databaseUrl === undefined) makeDataDir(dataDir);
  const folder = databaseUrl === undefined ? dataDir : tmpdir();
  const path = join(folder, `import-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return {
    first: () => keeping(input, file, folder),
    again: () => file.createReadStream({ start: 0, autoClose: false }),
    close: () => file.close(),
  };
}

async function* keeping(
  input: AsyncIterable<Uint8Array>,
  file: FileHandle,
  folder: string,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) {
    try {
      await file.appendFile(chunk);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new Error(
        `the export cannot be kept in ${folder} while it is checked (${problem}). Nothing is imported: make room for its size there`,
        { cause: error },
      );
    }
    yield chunk;
  }
}
