/**
 * Lets Node import `.tsv` files as texts, as the bundle does:
 * `tsx --import ./scripts/text-imports.mjs FILE`.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Node calls the function below in a thread of its own, where it loads this file again
if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  if (!new URL(url).pathname.endsWith('.tsv')) return next(url, context);
  const source = `export default ${JSON.stringify(await readFile(new URL(url), 'utf8'))};`;
  return { format: 'module', source, shortCircuit: true };
}
