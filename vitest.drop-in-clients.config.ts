import { defineConfig } from 'vitest/config';

/** Needs the packages of `test/drop-in-clients`. */
export default defineConfig({
  test: {
    include: ['test/drop-in-clients/*.clients.ts'],
    environment: 'node',
    globalSetup: './packages/test-support/test/build-programs.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
