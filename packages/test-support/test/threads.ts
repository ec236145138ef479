import { inject } from 'vitest';
import { bundleForNode } from './bundle-for-node.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of files, from `build-programs.ts`. */
    recorderThread: string;
    extractThread: string;
  }
}

/** The recorder's thread. */
export const recorderWorkerUrl = (): URL => new URL(inject('recorderThread'));

/** The reader's extraction thread. */
export const extractWorkerUrl = (): URL => new URL(inject('extractThread'));

/** A program of the reader's `test/programs/` in its place. */
export const extractProgram = (name: string): Promise<URL> =>
  bundleForNode(new URL(`../../reader/test/programs/${name}.ts`, import.meta.url));
