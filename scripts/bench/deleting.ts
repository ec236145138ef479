import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isoTime } from '@trawl/base';
import { openStore, type Store } from '@trawl/store';
import { interactionOf, WORKER_URL } from './growth-record.ts';

/**
 * How long others wait while interactions are deleted, by age or with their session. Run by hand:
 * see scripts/bench/NOTES.md. It makes an SQLite database of its own and deletes it; a PostgreSQL
 * database has to be empty, and is left as it is.
 *
 *   npm run build && npx tsx --import ./scripts/text-imports.mjs scripts/bench/deleting.ts
 *   [--interactions 5000] [--database postgres://…]
 */
const { values } = parseArgs({
  options: { interactions: { type: 'string', default: '5000' }, database: { type: 'string' } },
});
const INTERACTIONS = Number(values.interactions);
const QUIET_MS = 5_000;
const PAUSE_MS = 5;

const folder = await mkdtemp(join(tmpdir(), 'trawl-deleting-'));
const store = await openStore({
  databaseUrl: values.database,
  dataDir: folder,
  workerUrl: WORKER_URL,
});
try {
  const [projectId, otherId] = [await newProject(store), await newProject(store)];
  const sessionId = randomUUID();
  await fill(projectId, () => randomUUID());
  await fill(projectId, () => sessionId);
  console.log('| While | records | p50 ms | p99 ms | longest ms |\n|---|--:|--:|--:|--:|');
  const quiet = new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  await report('nothing is deleted', otherId, quiet);
  await report(
    `a session of ${INTERACTIONS} interactions is deleted`,
    otherId,
    store.recorder.deleteSession(projectId, sessionId),
  );
  await report(`${INTERACTIONS} interactions are deleted by age`, otherId, sweepAll(projectId));
} finally {
  await store.close();
  await rm(folder, { recursive: true, force: true });
}

async function newProject({ keys }: Store): Promise<string> {
  const id = randomUUID();
  await keys.ensureProject({ id, name: `deleting ${id}`, createdAt: isoTime(Date.now()) });
  return id;
}

async function fill(projectId: string, sessionOf: () => string): Promise<void> {
  for (let at = 0; at < INTERACTIONS; at += 50) {
    const records = Array.from({ length: 50 }, () => interactionOf(projectId, sessionOf()));
    await Promise.all(records.map((record) => store.recorder.record(record)));
  }
}

/** One slice after the other, as a server does. */
async function sweepAll(projectId: string): Promise<void> {
  const now = isoTime(Date.now());
  while ((await store.sweeps.slice(projectId, now)).hasMore);
}

/** Records searches of another project, one at a time, until the work is over. */
async function report(name: string, projectId: string, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const record = interactionOf(projectId, randomUUID());
    const startedAt = performance.now();
    await store.recorder.record(record);
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await over;
  times.sort((one, other) => one - other);
  const at = (part: number) => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(1);
  console.log(`| ${name} | ${times.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`);
}
