import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSite } from '../../../scripts/docs-site/build-site.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The documentation of this repository, built into its own folder. */
export async function buildDocs() {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-docs-'));
  const { problems } = await buildSite({ root: ROOT, folder });
  return {
    folder: pathToFileURL(`${folder}/`),
    problems,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
