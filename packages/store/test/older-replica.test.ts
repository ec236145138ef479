import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeOnDatabases,
  type FreshDatabase,
  type TestDatabase,
} from '../../server/test/support/databases.ts';
import { recorderWorkerUrl } from '../../server/test/support/threads.ts';
import { openStore } from '../src/opening/open-store.ts';
import type { Store } from '../src/opening/store.ts';
import { apiKey, at, historyOf, interactionRecord, ledgerRecord, newProject } from './fixtures.ts';

const run = promisify(execFile);
/** The release that replicas of this version have to work next to. */
const RELEASE = 'v0.1.0';
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const HISTORY = { limit: undefined, after: undefined, runs: true };

type OldOpenStore = typeof openStore;

/**
 * Only PostgreSQL has replicas. On SQLite that release could not read what this version records: since schema version 9
 * the text of a run is stored there as text, not as bytes.
 */
const suite = (database: TestDatabase): void => {
  let fresh: FreshDatabase;
  let folder: string | undefined;
  let old: Store | undefined;
  let young: Store | undefined;

  beforeAll(async () => {
    fresh = await database.create();
    folder = await bundleRelease();
  }, 60_000);
  afterAll(async () => {
    await Promise.all([old?.close(), young?.close()]);
    await fresh.drop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('goes on recording and reading after the tables were updated', async ({ skip }) => {
    skip(!folder, `optional: the tag ${RELEASE} is not in this clone`);
    const released = (name: string) => pathToFileURL(join(folder ?? '', `${name}.mjs`));
    const { openStore: openOld } = (await import(released('open-store').href)) as {
      openStore: OldOpenStore;
    };
    old = await openOld({ ...fresh.location, workerUrl: released('recorder-worker') });
    const projectId = await newProject(old);
    await old.keys.createKey(apiKey(projectId), 'digest');
    const sessionId = crypto.randomUUID();
    const record = async (store: Store, second: number) => {
      const id = crypto.randomUUID();
      const ledger = [ledgerRecord({ id, projectId, sessionId }, { createdAt: at(second) })];
      const createdAt = at(second);
      const made = interactionRecord({ projectId, sessionId, id, createdAt, ledger });
      await store.recorder.record(made);
      return made.id;
    };
    const ids = [await record(old, 1)];

    young = await openStore({ ...fresh.location, workerUrl: recorderWorkerUrl() });
    ids.push(await record(young, 2), await record(old, 3), await record(young, 4));

    const owner = { kind: 'project', id: projectId } as const;
    const wanted = { from: at(0), to: at(86_400), groups: ['provider'], limit: 10 } as const;
    for (const store of [old, young]) {
      const history = await historyOf(store, projectId, sessionId, HISTORY);
      expect(history.map(({ id }) => id)).toEqual(ids);
      expect(history.every(({ preprocessorRuns }) => preprocessorRuns.length === 1)).toBe(true);
      expect(await store.usage.usage(owner, wanted)).toMatchObject([
        { group: { provider: 'exa' }, calls: 4, costMicros: 20_000 },
      ]);
      expect(await store.keys.findKey('digest')).toMatchObject({ projectId });
      await store.ping();
    }
    await young.sweeps.slice(projectId, at(2));
    expect(await old.reader.session(projectId, sessionId)).toMatchObject({ interactionCount: 3 });
    expect(await old.recorder.deleteSession(projectId, sessionId)).toBe(true);
    expect(await young.reader.session(projectId, sessionId)).toBeUndefined();
  });
};

describeOnDatabases(`a replica of ${RELEASE} next to this version`, suite, 'PostgreSQL');

/** The store of the release and its recorder, each in one file; undefined without its tag. */
async function bundleRelease(): Promise<string | undefined> {
  const tag = await run('git', ['rev-parse', '--verify', '--quiet', RELEASE], { cwd: ROOT }).catch(
    () => undefined,
  );
  if (!tag) return undefined;
  const sources = await mkdtemp(join(tmpdir(), 'trawl-release-'));
  try {
    const archive = join(sources, 'release.tar');
    await run('git', ['archive', '--output', archive, RELEASE, 'packages'], { cwd: ROOT });
    await run('tar', ['-xf', archive, '-C', sources]);
    // below node_modules, where installed packages are found
    const cache = join(ROOT, 'node_modules', '.cache', 'trawl-test');
    await mkdir(cache, { recursive: true });
    const folder = await mkdtemp(join(cache, 'release-'));
    const packages = join(sources, 'packages');
    const storage = join(packages, 'server', 'src', 'storage');
    await build({
      entryPoints: [join(storage, 'open-store.ts'), join(storage, 'recorder-worker.ts')],
      ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20' },
      packages: 'external',
      alias: {
        '@trawl/contract': join(packages, 'contract', 'src', 'index.ts'),
        '@trawl/providers': join(packages, 'providers', 'src', 'index.ts'),
      },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
    });
    return folder;
  } finally {
    await rm(sources, { recursive: true, force: true });
  }
}
