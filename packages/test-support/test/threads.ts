import { bundleForNode } from './bundle-for-node.ts';

/** The recorder's thread, as it was built: Node.js cannot run TypeScript in a thread. */
export const recorderWorkerUrl = (): URL =>
  new URL('../../../dist/recorder-worker.js', import.meta.url);

/** The reader's extraction thread. */
export const extractWorkerUrl = (): URL =>
  new URL('../../../dist/extract-worker.js', import.meta.url);

/** A program of the reader's `test/programs/` in its place. */
export const extractProgram = (name: string): Promise<URL> =>
  bundleForNode(new URL(`../../reader/test/programs/${name}.ts`, import.meta.url));
