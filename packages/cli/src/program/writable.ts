import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** @throws Error naming the flag where the file could not be written, before anything is paid */
export async function checkWritable(flag: string, path: string): Promise<void> {
  const place = await stat(path).catch(() => undefined);
  if (place?.isDirectory()) throw new Error(`${flag}: ${path} is a folder; name a file`);
  await access(place ? path : dirname(resolve(path)), constants.W_OK).catch(() => {
    throw new Error(`${flag}: ${path} cannot be written; check the path and its permissions`);
  });
}
