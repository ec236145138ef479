import { bundleForNode } from './recorder-worker.ts';

const EXTRACT_WORKER = new URL('../../../reader/src/threads/extract-worker.ts', import.meta.url);

let extractWorker: Promise<URL> | undefined;

/** The reader's extraction thread, built once for each test process. */
export function extractWorkerUrl(): Promise<URL> {
  extractWorker ??= bundleForNode(EXTRACT_WORKER);
  return extractWorker;
}

/** A program of the reader's `test/programs/` in its place. */
export function extractProgram(name: string): Promise<URL> {
  return bundleForNode(new URL(`../../../reader/test/programs/${name}.ts`, import.meta.url));
}
