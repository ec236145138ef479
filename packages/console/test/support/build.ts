import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureConsole } from '../../../../scripts/build.mjs';
import { buildConsole } from '../../../../scripts/console/build-console.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Pages as the server serves them. */
export interface BuiltPages {
  readonly folder: URL;
  readonly remove: () => void;
}

/** The console of the current sources, in `dist/console`. */
export async function builtConsole(): Promise<BuiltPages> {
  const { notes } = await ensureConsole(ROOT);
  if (notes.length > 0) throw new Error(notes.join(''));
  return { folder: folderUrl(join(ROOT, 'dist', 'console')), remove: () => undefined };
}

/** The parts of pages, from `test/gallery`. */
export async function builtGallery(): Promise<BuiltPages> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-gallery-'));
  const pages = join(import.meta.dirname, '..', 'gallery');
  await buildConsole({ root: ROOT, folder, pages });
  return { folder: folderUrl(folder), remove: () => rmSync(folder, { recursive: true }) };
}

const folderUrl = (path: string): URL => pathToFileURL(join(path, '/'));
