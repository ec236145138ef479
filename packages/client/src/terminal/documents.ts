import { readFile } from 'node:fs/promises';
import { textOfFile } from '../settings/file-text.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';

/** The text of a document. @throws CommandError where it cannot be read, TrawlError for no text */
export async function readDocument(path: string): Promise<string> {
  const bytes = await readFile(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.usage, 'usage', `${path} cannot be read (${code ?? message})`);
  });
  return textOfFile(bytes, path);
}
