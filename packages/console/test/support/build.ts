import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureConsole } from '../../../../scripts/build.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** The console of the current sources, in `dist/console`. */
export async function builtConsole(): Promise<URL> {
  const { notes } = await ensureConsole(ROOT);
  if (notes.length > 0) throw new Error(notes.join(''));
  return pathToFileURL(join(ROOT, 'dist', 'console', '/'));
}
