import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { settingsFor } from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  figure,
  hasProc,
  load,
  NEEDS_PROC,
  peakRssMb,
  sized,
  startProbe,
  startTrawl,
  type Trawl,
  tally,
} from './support.ts';

const BATCHES = sized({ short: 2, full: 50 });
const QUERIES = sized({ short: 8, full: 32 });
const PROVIDERS = 22;

let sandbox: Sandbox;
let server: Trawl;
beforeAll(async () => {
  sandbox = await startSandbox();
  // its places in the database are left to startTrawl
  const { DATABASE_URL: _url, DATA_DIR: _folder, ...settings } = settingsFor(sandbox);
  server = await startTrawl({ settings });
});
afterAll(async () => {
  await server.stop();
  await sandbox.stop();
});

interface SearchAnswer {
  readonly preprocessor_runs: readonly {
    readonly status: string;
    readonly error: { readonly code: string } | null;
  }[];
}

it('large batches on all providers have all their runs or none, and the server stays reachable', async ({
  skip,
}) => {
  skip(!hasProc, NEEDS_PROC);
  const { preprocessors } = JSON.parse((await server.call('/v1/preprocessors')).text) as {
    preprocessors: readonly { slug: string; configured: boolean }[];
  };
  const include = preprocessors.filter(({ configured }) => configured).map(({ slug }) => slug);
  expect(include).toHaveLength(PROVIDERS);
  const body = {
    user_input: Array.from({ length: QUERIES }, (_, index) => ({ query: `tides ${index}` })),
    search: { providers: { include } },
  };
  const startedAt = performance.now();
  const probe = await startProbe(server.url);
  const answers = await load({ clients: BATCHES, turns: BATCHES }, () => server.search(body));
  const health = await probe.stop();
  const runs = answers
    .filter(({ status }) => status === 200)
    .flatMap(({ text }) => (JSON.parse(text) as SearchAnswer).preprocessor_runs);
  const row = 'batches';
  figure(row, 'batches', `${BATCHES} of ${QUERIES} x ${PROVIDERS}`);
  figure(row, 'statuses', JSON.stringify(tally(answers.map(({ status }) => status))));
  figure(row, 'took', (performance.now() - startedAt) / 1000, 's');
  figure(row, 'runs', JSON.stringify(tally(runs.map((run) => run.error?.code ?? run.status))));
  figure(row, 'healthz p99', health.p99, 'ms');
  figure(row, 'healthz max', health.max, 'ms');
  figure(row, 'peak RSS', peakRssMb(server.pid), 'MB');
  const served = answers.filter(({ status }) => status === 200);
  expect(runs).toHaveLength(served.length * QUERIES * PROVIDERS);
  // a batch that a slow machine does not finish within the deadline is refused as a whole
  expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(served.length).toBeGreaterThan(0);
  expect(health.failed).toBe(0);
});
