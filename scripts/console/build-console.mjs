/** Bundles the console's pages by Vite, with what the server needs to serve them. */
import { join } from 'node:path';
import { build } from 'vite';
import { FILES, TABLE } from '../docs-site/built-site.mjs';
import { createStore } from '../docs-site/store.mjs';
import { writeAtomically } from '../write-file.mjs';
import { consoleSource, LICENCES } from './built-console.mjs';

/** What the chunks are and which of them import which; for the test of their sizes. */
const MANIFEST = '.vite/manifest.json';
const MADE_LICENCES = '.vite/license.md';

/**
 * @param {{root: string, folder: string, pages?: string}} options `folder`: where the console goes;
 * `pages`: the folder of other pages, which are built in its place.
 * @returns {Promise<Set<string>>} The names of its files in `files/`.
 */
export async function buildConsole({ root, folder, pages = consoleSource(root) }) {
  const { output } = await bundle(pages, join(consoleSource(root), 'vite.config.ts'));
  const store = createStore(join(folder, FILES));
  const routes = {};
  let notFound;
  for (const { fileName, code, source: text } of output) {
    const content = code ?? text;
    if (fileName === MANIFEST) writeAtomically(join(folder, 'manifest.json'), content);
    else if (fileName === MADE_LICENCES) writeAtomically(join(folder, LICENCES), content);
    else if (fileName === 'index.html') notFound = store.add(fileName, content);
    else routes[`/console/${fileName}`] = { ...store.add(fileName, content), immutable: true };
  }
  await store.written();
  // last, since it names the others
  writeAtomically(join(folder, TABLE), JSON.stringify({ routes, notFound }, null, 1));
  return store.names;
}

/**
 * The same files in every environment: Vite would make a development build for any other value of
 * NODE_ENV.
 */
async function bundle(root, configFile) {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    return await build({
      root,
      configFile,
      logLevel: 'silent',
      build: { write: false },
    });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
