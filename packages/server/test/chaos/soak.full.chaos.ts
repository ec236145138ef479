import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  figure,
  hasProc,
  load,
  NEEDS_PROC,
  openFiles,
  percentile,
  rssMb,
  startStub,
  startTrawl,
} from './support.ts';

const SEARCHES = 20_000;
const CLIENTS = 16;
const QUARTERS = 4;

it('many searches leave memory, open files and times as they were', async ({ skip }) => {
  skip(!hasProc, NEEDS_PROC);
  const stub = await startStub();
  const server = await startTrawl({ settings: stub.settings });
  figure('memory', 'RSS', rssMb(server.pid), 'MB');
  const quarters: { rss: number; files: number; p50: number; p99: number; megabytes: number }[] =
    [];
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    const answers = await load({ clients: CLIENTS, turns: SEARCHES / QUARTERS }, () =>
      server.search({ session_id: randomUUID(), user_input: { query: 'tidal power' } }),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const times = answers.map(({ ms }) => ms);
    quarters.push({
      rss: rssMb(server.pid),
      files: openFiles(server.pid),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      megabytes: sizeOf(server.location.dataDir) / 1e6,
    });
  }
  const list = (name: keyof (typeof quarters)[number], digits = 0) =>
    quarters.map((quarter) => quarter[name].toFixed(digits)).join(' / ');
  figure('soak', 'searches', SEARCHES);
  figure('soak', 'RSS', list('rss'), 'MB');
  figure('soak', 'open files', list('files'));
  figure('soak', 'p50', list('p50'), 'ms');
  figure('soak', 'p99', list('p99'), 'ms');
  figure('soak', 'data folder', list('megabytes', 1), 'MB');
  const [first, , , last] = quarters;
  expect(last?.rss).toBeLessThan((first?.rss ?? 0) * 1.3);
  // connections of the clients come and go
  expect(last?.files).toBeLessThan((first?.files ?? 0) + CLIENTS);
  expect((await stub.counts()).calls).toBe(SEARCHES * 2);
  await server.stop();
  await stub.stop();
});

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
