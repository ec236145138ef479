import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that need a process of their own: what they do or look at is of the whole process. To load
 * the server once more takes almost 2 s of processor time.
 */
const ALONE = [
  'packages/base/test/in-progress.test.ts',
  'packages/client/test/{generated,package}.test.ts',
  'packages/server/test/trust/{crash,failed-start,stopping,workers}.test.ts',
  'packages/reader/test/limits.test.ts',
  'packages/store/test/{broken-connection,durability,opening,server-lock}.test.ts',
  'packages/upstream/test/load.test.ts',
  'test/regular-expressions.test.ts',
];
const IN_PROCESS = ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'];

/**
 * Only in the full form, as `.ci/nightly` runs: packages with all consumers of the client, the steps of the image, a database that goes
 * away, which the chaos suite of every run also does, `kill -9` under load, which
 * `store/test/durability` does in every run, and most pages of the console. Of those, every run
 * looks at the frame of all pages, at signing in, making a key, a search, what was recorded of it,
 * and the parts that pages are made of.
 */
const FULL_ONLY = [
  'packages/client/test/package.test.ts',
  'packages/console/test/browser/!(shell|sign-in|keys-create|playground-search|parts).test.ts',
  'packages/console/test/browser/sessions/!(interaction).test.ts',
  'packages/server/test/trust/{crash,store-outage}.test.ts',
  'test/image.test.ts',
];
const LEFT_OUT = [
  ...configDefaults.exclude,
  ...(process.env.TEST_FORM === 'full' ? [] : FULL_ONLY),
];

/** Files that take long. They begin first, so that no worker is left with one at the end. */
const LONG = [
  /\/packages\/server\/test\/trust\//,
  /\/packages\/(?:console|server)\/test\/browser\//,
  /\/packages\/server\/test\/reader\/browser\./,
  /\/packages\/server\/test\/(?:history|route)-growth\./,
  /\/packages\/server\/test\/fetch\/page-check\./,
  /\/packages\/cli\/test\/(?:client-commands|demo|doctor|routing)\./,
  /\/packages\/(?:mcp\/test\/tools|store\/test\/durability)\./,
  /\/test\/(?:docs\/examples|docs-site|image|packages|regular-expressions|test-script)\./,
];

/** Without results of an earlier run, as in CI, Vitest takes a large file for a long one. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // the files of a project stay together: a shared process ends when the next file is not for it
    const rank = ({ project, moduleId }: TestSpecification): number =>
      (project.name === 'alone' ? 0 : 2) + (LONG.some((path) => path.test(moduleId)) ? 0 : 1);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * TEST_ISOLATE=1 gives each file a process of its own. Slower; it shows what only holds while files
 * share one.
 */
const isAllIsolated = process.env.TEST_ISOLATE === '1';

const ONCE = ['build-programs.ts', 'test-folder.ts'].map(
  (file) => `./packages/test-support/test/${file}`,
);

// of each project: what `extends` hands down, `--maxWorkers` could not change
const COMMON = {
  environment: 'node',
  globalSetup: ONCE,
  setupFiles: './packages/test-support/test/processor-time.ts',
  // Processes, not threads: tests load a native database driver and start worker threads of their
  // own, and a crash must not end the whole run.
  pool: 'forks',
  // far beyond what any test takes: a machine under load must not fail what is right
  testTimeout: 60_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

export default defineConfig({
  test: {
    // two more than there are cores: many tests wait for a timer, a socket or another program
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...COMMON, name: 'alone', include: ALONE, exclude: LEFT_OUT } },
      {
        test: {
          ...COMMON,
          // a quarter of the time would go into loading the same modules again for each file
          name: 'shared',
          isolate: isAllIsolated,
          unstubEnvs: true,
          include: IN_PROCESS,
          exclude: [...LEFT_OUT, ...ALONE],
        },
      },
    ],
  },
});
