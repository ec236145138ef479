/** Bundles the console's pages by Vite, with what the server needs to serve them. */
import { join } from 'node:path';
import { build } from 'vite';
import { FILES, TABLE } from '../docs-site/built-site.mjs';
import { createStore } from '../docs-site/store.mjs';
import { writeAtomically } from '../write-file.mjs';
import { consoleSource } from './built-console.mjs';

/** What the chunks are and which of them import which; for the test of their sizes. */
const MANIFEST = '.vite/manifest.json';

/**
 * @param {{root: string, folder: string}} options `folder`: where the console goes.
 * @returns {Promise<Set<string>>} The names of its files in `files/`.
 */
export async function buildConsole({ root, folder }) {
  const { output } = await bundle(consoleSource(root));
  const store = createStore(join(folder, FILES));
  const routes = {};
  let notFound;
  for (const { fileName, code, source: text } of output) {
    const content = code ?? text;
    if (fileName === MANIFEST) writeAtomically(join(folder, 'manifest.json'), content);
    else if (fileName === 'index.html') notFound = store.add(fileName, content);
    else routes[`/console/${fileName}`] = { ...store.add(fileName, content), immutable: true };
  }
  await store.written();
  // last, since it names the others
  writeAtomically(join(folder, TABLE), JSON.stringify({ routes, notFound }, null, 1));
  return store.names;
}

/** The same files in every environment: Vite would make a development build for any other value of NODE_ENV. */
async function bundle(source) {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    return await build({
      root: source,
      configFile: join(source, 'vite.config.ts'),
      logLevel: 'silent',
      build: { write: false },
    });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
