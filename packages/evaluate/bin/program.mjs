/** The program as the build of the clone made it. */
export * from '../../../dist/evaluate.js';
