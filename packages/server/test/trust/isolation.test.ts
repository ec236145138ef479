import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/open-database.ts';
import type { Tables } from '../../src/storage/tables.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { type Answer, providerKey, startTestServer, type TestServer } from '../support/harness.ts';
import { answered } from '../support/recorded.ts';

const REQUESTS = 200;

/** One of these goes wrong with the queries of each request, in turn. */
const FAULTS = [
  '',
  '[[exa:latency=80]]',
  '[[brave:latency=120]]',
  '[[exa:status=503]]',
  '[[*:cut]]',
  '[[brave:not-json]]',
  '[[*:odd-rows]]',
  '[[*:echo-key]]',
  '[[exa:echo-key,status=400]]',
  '[[brave:reset]]',
  '[[*:gzip]] [[exa:latency=40]]',
  '[[exa:empty]]',
  '[[*:status=429,fail-first=1,retry-after=0]]',
  '[[brave:wrong-shape]]',
  '[[*:latency=10]]',
  '[[exa:bad-gzip]]',
  '[[brave:status=401]]',
  '[[*:broken-json]]',
];
/** Few, since each of them holds a slot of its provider for the whole timeout. */
const HANGS = ['[[exa:hang]]', '[[brave:hang]]'];

interface Sent {
  readonly index: number;
  readonly caller: { readonly id: string; readonly key: string; readonly project: string };
  readonly body: { readonly user_input: readonly { readonly query: string }[] };
}

interface Run {
  readonly id: string;
  readonly preprocessor_name: string;
  readonly status: string;
  readonly batch_index: number;
  readonly query: string;
  readonly output_payload: { readonly results: readonly object[] } | null;
  readonly raw_payload: unknown;
  readonly error: unknown;
}

const runsOf = (answer: Answer): readonly Run[] => answer.json.preprocessor_runs;

describeOnDatabases(`${REQUESTS} searches at once of several keys, with faults`, (database) => {
  let server: TestServer;
  let sent: readonly Sent[];
  let answers: readonly Answer[];

  beforeAll(async () => {
    server = await startTestServer({
      database,
      env: { EXA_TIMEOUT_MS: '4000', BRAVE_TIMEOUT_MS: '4000' },
    });
    // two of the keys belong to one project
    const callers: Sent['caller'][] = [];
    for (const project of ['red', 'red', 'green', 'blue']) {
      callers.push({ ...(await server.makeKey(project)), project });
    }
    const sessions = new Map(callers.map(({ project }) => [project, randomUUID()]));
    sent = Array.from({ length: REQUESTS }, (_, index): Sent => {
      const caller = callers[index % callers.length] ?? fail();
      const fault =
        index % 20 === 7 ? (HANGS[index % 3] ?? '') : (FAULTS[index % FAULTS.length] ?? '');
      const body = {
        // half of them share the session of their project
        session_id: index % 2 === 0 ? sessions.get(caller.project) : randomUUID(),
        user_input: Array.from({ length: 1 + (index % 3) }, (_, place) => ({
          query: `mark${index}x part ${place} ${fault}`,
        })),
        metadata: { index },
        search: { num_results: 3, include_raw: index % 2 === 0, tier: 'max' },
      };
      return { index, caller, body };
    });
    answers = await Promise.all(
      sent.map(({ body, caller }) => server.search(body, { key: caller.key })),
    );
  }, 60_000);
  afterAll(() => server.stop());

  const each = (check: (answer: Answer, sent: Sent) => void) => {
    for (const [index, answer] of answers.entries()) check(answer, sent[index] ?? fail());
  };

  it('answers all of them with 200 and every run in its place', () => {
    each((answer, { body }) => {
      answered('search', answer);
      const places = runsOf(answer).map((run) => [
        run.batch_index,
        run.query,
        run.preprocessor_name,
      ]);
      expect(places).toEqual(
        body.user_input.flatMap(({ query }, index) => [
          [index, query, 'exa'],
          [index, query, 'brave'],
        ]),
      );
    });
    const statuses = new Set(answers.map(({ json }) => json.status));
    expect(statuses).toEqual(new Set(['succeeded', 'partially_succeeded', 'failed']));
  });

  it('gives each request the rows of its own queries and nothing of another', () => {
    each((answer, { index }) => {
      const marks = answer.text.toLowerCase().match(/mark\d+x/g);
      expect(new Set(marks)).toEqual(new Set([`mark${index}x`]));
    });
    const rows = answers.flatMap((answer) =>
      runsOf(answer).flatMap((run) =>
        (run.output_payload?.results ?? []).map((row) => ({ run, text: JSON.stringify(row) })),
      ),
    );
    expect(rows.length).toBeGreaterThan(REQUESTS);
    const foreign = rows.filter(({ run, text }) => {
      const place = /mark\d+x part \d/.exec(run.query)?.[0] ?? '';
      const named = text.toLowerCase().match(/mark\d+x part \d/g) ?? [];
      return named.some((other) => other !== place);
    });
    expect(foreign).toEqual([]);
  });

  it('lets a run fail alone, with an error of its own', () => {
    each((answer) => {
      for (const run of runsOf(answer)) {
        const failed = run.status === 'failed';
        expect([run.error === null, run.output_payload === null]).toEqual([!failed, failed]);
      }
    });
  });

  it('shows no provider key, whoever echoes it', () => {
    const [plainStart = ''] = providerKey('').split('-');
    each(({ text }) => expect(text).not.toContain(plainStart));
  });

  it('can read each of them afterwards, equal, with every key of its project and no other', async () => {
    const readers = new Map(sent.map(({ caller }) => [caller.project, caller.key]));
    await Promise.all(
      answers.map(async ({ json, text }, index) => {
        const path = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
        for (const [project, key] of readers) {
          const read = await server.call('GET', path, { key });
          const isOwn = project === sent[index]?.caller.project;
          expect(read.status).toBe(isOwn ? 200 : 404);
          if (isOwn) expect(read.text.startsWith(text.slice(0, -1))).toBe(true);
        }
      }),
    );
  });

  it('has one ledger row for each run, on the books of the key that asked', async () => {
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const rows = (await db.selectFrom('ledger').selectAll().execute()) as Tables['ledger'][];
    await db.destroy();
    const booked = rows.map((row) => [row.run_id, row.key_id, row.provider, row.outcome].join());
    const runs = answers.flatMap((answer, index) =>
      runsOf(answer).map((run) =>
        [run.id, sent[index]?.caller.id, run.preprocessor_name, run.status].join(),
      ),
    );
    expect(booked.sort()).toEqual(runs.sort());
  });
});

function fail(): never {
  throw new Error('an answer without its request');
}
