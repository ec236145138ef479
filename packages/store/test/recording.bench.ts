import { randomUUID } from 'node:crypto';
import {
  describeOnDatabases,
  type TestDatabase,
  type TestStore,
} from '@trawl/test-support/databases';
import { newProject } from '@trawl/test-support/records';
import { wholeInteraction } from '@trawl/test-support/whole-interaction';
import { type BenchOptions, bench } from 'vitest';

const INTERACTIONS = 1_000;

/** `npx vitest bench --run packages/store/test`: interactions of two runs of 20 KB each. */
describeOnDatabases(`recording ${INTERACTIONS} interactions`, (database) => {
  for (const atOnce of [1, 32, 256]) {
    const { opened, options } = onStore(database, 4);
    const recordAll = async () => {
      const { store } = opened();
      const projectId = await newProject(store);
      let left = INTERACTIONS;
      const record = async () => {
        const sessionId = randomUUID();
        while (left-- > 0) await store.recorder.record(wholeInteraction(projectId, sessionId));
      };
      await Promise.all(Array.from({ length: atOnce }, record));
    };
    bench(`${atOnce} at a time`, recordAll, options);
  }
});

describeOnDatabases('opening', (database) => {
  const existing = onStore(database, 10);
  const open = async () => {
    await (await existing.opened().another()).close();
  };
  bench('an existing database', open, existing.options);

  const writing = onStore(database, 10);
  const openAndWrite = async () => {
    const store = await writing.opened().another();
    await store.ping();
    await store.close();
  };
  bench('an existing database, with a first write', openAndWrite, writing.options);
});

function onStore(
  database: TestDatabase,
  iterations: number,
): { opened: () => TestStore; options: BenchOptions } {
  let store: TestStore | undefined;
  const opened = () => {
    if (!store) throw new Error('not set up');
    return store;
  };
  const setup = async () => {
    store = await database.open();
    await store.store.ping();
  };
  const teardown = () => opened().cleanup();
  const rounds = { iterations, time: 0, warmupIterations: 1, warmupTime: 0 };
  return { opened, options: { ...rounds, setup, teardown } };
}
