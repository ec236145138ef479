import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isoTime } from '@trawl/base';
import { openStore, type Store } from '@trawl/store';
import { sql } from 'kysely';
import {
  type DatabaseLocation,
  type OpenDatabase,
  openDatabase,
} from '../../packages/database/src/opening/open-database.ts';
import { interactionOf, WORKER_URL } from './growth-record.ts';
import { fillProjects } from './growth-rows.ts';

/**
 * How long the operations of a project take alone, and next to a million interactions of other
 * projects. Run by hand: see scripts/bench/NOTES.md. It makes an SQLite database of its own and
 * deletes it; a PostgreSQL database has to be empty, and is left as it is.
 *
 *   npm run build && tsx --import ./scripts/text-imports.mjs scripts/bench/growth.ts
 *   [--interactions 1000000] [--database postgres://…]
 */
const { values } = parseArgs({
  options: { interactions: { type: 'string', default: '1000000' }, database: { type: 'string' } },
});
const OTHERS = Number(values.interactions);
const OWN_INTERACTIONS = 2_000;
const OWN_SESSIONS = 100;
const BUSY_INTERACTIONS = 200_000;
const ROUNDS = 60;

type Operation = readonly [name: string, run: () => Promise<unknown>];

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-growth-'));
  const location: DatabaseLocation = { databaseUrl: values.database, dataDir: folder };
  try {
    await measure(location);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(location: DatabaseLocation): Promise<void> {
  const store = await openStore({ ...location, workerUrl: WORKER_URL });
  const database = openDatabase(location, { connections: 1 });
  try {
    const projectId = await newProject(store);
    const emptyBytes = await sizeOf(database);
    const sessions = Array.from({ length: OWN_SESSIONS }, () => randomUUID());
    for (let at = 0; at < OWN_INTERACTIONS; at += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          store.recorder.record(
            interactionOf(projectId, sessions[(at + index) % OWN_SESSIONS] ?? ''),
          ),
        ),
      );
    }
    const bytes = ((await sizeOf(database)) - emptyBytes) / OWN_INTERACTIONS;
    print(`bytes per interaction of two runs of ten results: ${Math.round(bytes)}`);
    const operations = await operationsOf(store, projectId, sessions[0] ?? '');
    const alone = await medians(operations);
    const startedAt = performance.now();
    await fillProjects(database, { interactions: OTHERS, projects: 100 });
    print(`filled in ${Math.round((performance.now() - startedAt) / 1000)} s`);
    const together = await medians(operations);
    print('| Operation | alone, ms | with others, ms | ratio |\n|---|--:|--:|--:|');
    for (const [name] of operations) {
      const [one, other] = [alone.get(name) ?? 0, together.get(name) ?? 0];
      print(`| ${name} | ${one.toFixed(2)} | ${other.toFixed(2)} | ${(other / one).toFixed(2)} |`);
    }
    await fillProjects(database, { interactions: BUSY_INTERACTIONS, projects: 1, name: 'busy' });
    const busy = await medians(usageOf(store, 'busy-0'));
    for (const [name, ms] of busy) print(`| ${name}, of 200,000 interactions | ${ms.toFixed(2)} |`);
  } finally {
    await database.db.destroy();
    await store.close();
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function newProject(store: Store): Promise<string> {
  const id = randomUUID();
  await store.keys.ensureProject({ id, name: `growth ${id}`, createdAt: isoTime(Date.now()) });
  return id;
}

async function operationsOf(
  store: Store,
  projectId: string,
  sessionId: string,
): Promise<readonly Operation[]> {
  const { reader, recorder } = store;
  const page = { limit: undefined, after: undefined };
  const known = interactionOf(projectId, sessionId);
  await recorder.record(known);
  return [
    ['search: record', () => recorder.record(interactionOf(projectId, randomUUID()))],
    ['interaction', () => reader.interaction(projectId, sessionId, known.id)],
    ['sessions', () => reader.sessions(projectId, { limit: 50, before: undefined })],
    ['history', () => readAll(reader.history(projectId, sessionId, { ...page, runs: false }))],
    ['trajectory', () => readAll(reader.history(projectId, sessionId, { ...page, runs: true }))],
    ['known title', () => reader.knownTitle(projectId, 'https://example.com/unknown')],
    ...usageOf(store, projectId),
  ];
}

async function readAll(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

function usageOf({ usage }: Store, projectId: string): readonly Operation[] {
  const owner = { kind: 'project', id: projectId } as const;
  const now = Date.now();
  const today = isoTime(Math.ceil(now / 86_400_000) * 86_400_000);
  const monthAgo = isoTime(now - 30 * 86_400_000);
  const groups = ['day', 'provider'] as const;
  return [
    ['usage', () => usage.usage(owner, { from: monthAgo, to: today, groups, limit: 10_000 })],
    [
      'usage until an hour of a day',
      () =>
        usage.usage(owner, { from: monthAgo, to: isoTime(now - 3_600_000), groups, limit: 10_000 }),
    ],
    ['budget', () => usage.spentMicros(owner, `${today.slice(0, 8)}01T00:00:00.000Z`, today)],
  ];
}

/** Milliseconds; the operations take turns. */
async function medians(operations: readonly Operation[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number[]>(operations.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of operations) {
      const startedAt = performance.now();
      await run();
      times.get(name)?.push(performance.now() - startedAt);
    }
  }
  const median = (list: number[]): number =>
    list.sort((one, other) => one - other)[list.length >> 1] ?? 0;
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

async function sizeOf({ db, isEmbedded }: OpenDatabase): Promise<number> {
  const { rows } = isEmbedded
    ? await sql<{ bytes: number }>`
        select (page_count - freelist_count) * page_size as bytes
        from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`.execute(db)
    : await sql<{ bytes: number }>`
        select cast(sum(pg_total_relation_size(oid)) as bigint) as bytes from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(db);
  return rows[0]?.bytes ?? 0;
}

await main();
