import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundledFile } from '../../../scripts/build.mjs';

/** Below `node_modules`, so packages outside the bundle are found. */
const CACHE = new URL('../../../node_modules/.cache/trawl-test/', import.meta.url);

const made = new Map<string, Promise<URL>>();

/**
 * A TypeScript file as one JavaScript file that a thread or a child process can run. It is made
 * once in a process of tests: that of a reader's thread takes a second of the processor.
 */
export function bundleForNode(entry: URL): Promise<URL> {
  const bundle = made.get(entry.href) ?? makeBundle(entry);
  made.set(entry.href, bundle);
  return bundle;
}

async function makeBundle(entry: URL): Promise<URL> {
  const code = await bundledFile(fileURLToPath(entry));
  // Named by content: test processes that build the same file at once don't disturb each other.
  const name = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const target = new URL(`${name}.mjs`, CACHE);
  const unfinished = new URL(`${name}.${randomUUID()}.tmp`, CACHE);
  await mkdir(CACHE, { recursive: true });
  await writeFile(unfinished, code);
  await rename(unfinished, target);
  return target;
}
