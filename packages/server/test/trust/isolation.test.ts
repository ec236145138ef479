import { randomUUID } from 'node:crypto';
import type { Tables } from '@trawl/database';
import { openDatabase } from '@trawl/database';
import { SEARCH_PROVIDERS } from '@trawl/providers';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import {
  type Answer,
  providerKey,
  startTestServer,
  type TestServer,
} from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered } from '../support/recorded.ts';

const REQUESTS = byForm({ small: 40, full: 200 });
/** One provider hangs for as long. */
const TIMEOUT_MS = byForm({ small: 4_000, full: 10_000 });

/** Faults of the queries of a request, in turn; A and B are the providers that it names. */
const FAULTS = [
  '',
  '[[A:latency=80]]',
  '[[B:latency=120]]',
  '[[A:status=503]]',
  '[[*:cut]]',
  '[[B:not-json]]',
  '[[*:odd-rows]]',
  '[[*:echo-key]]',
  '[[A:echo-key,status=400]]',
  '[[B:reset]]',
  '[[*:gzip]] [[A:latency=40]]',
  '[[A:empty]]',
  '[[*:status=429,fail-first=1,retry-after=0]]',
  '[[B:wrong-shape]]',
  '[[*:latency=10]]',
  '[[A:bad-gzip]]',
  '[[B:status=401]]',
  '[[*:broken-json]]',
  '[[A:hang]]',
];

interface Sent {
  readonly index: number;
  readonly caller: { readonly id: string; readonly key: string; readonly project: string };
  readonly providers: readonly string[];
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

describeMainlyOn(
  'PostgreSQL',
  `${REQUESTS} searches at once of several keys, with faults`,
  (database) => {
    let server: TestServer;
    let sent: readonly Sent[];
    let answers: readonly Answer[];

    beforeAll(async () => {
      const slugs = SEARCH_PROVIDERS.map(({ slug }) => slug);
      const timeouts = slugs.map((slug) => [
        `${slug.toUpperCase()}_TIMEOUT_MS`,
        String(TIMEOUT_MS),
      ]);
      // the last test sends two reads for each search, most of them by one key: this test is about
      // isolation, not about limits
      const admitted = { MAX_ACTIVE_REQUESTS: String(2 * REQUESTS) };
      const env = { ...Object.fromEntries(timeouts), ...admitted };
      server = await startTestServer({ database, env });
      // two of the keys belong to one project
      const callers: Sent['caller'][] = [];
      for (const project of ['red', 'red', 'green', 'blue']) {
        callers.push({ ...(await server.makeKey(project)), project });
      }
      const sessions = new Map(callers.map(({ project }) => [project, randomUUID()]));
      sent = Array.from({ length: REQUESTS }, (_, index): Sent => {
        const caller = callers[index % callers.length] ?? fail();
        const [a = '', b = ''] = [0, 1 + (index % 5)].map(
          (step) => slugs[(index + step) % slugs.length],
        );
        const fault = (FAULTS[index % FAULTS.length] ?? '')
          .replace('[A:', `[${a}:`)
          .replace('[B:', `[${b}:`);
        const body = {
          // half of them share the session of their project
          session_id: index % 2 === 0 ? sessions.get(caller.project) : randomUUID(),
          user_input: Array.from({ length: 1 + (index % 3) }, (_, place) => ({
            query: `mark${index}x part ${place} ${fault}`,
          })),
          metadata: { index },
          search: {
            num_results: 3,
            include_raw: index % 4 === 0,
            tier: 'max',
            providers: { include: [a, b] },
          },
        };
        return { index, caller, providers: [a, b], body };
      });
      answers = await Promise.all(
        sent.map(({ body, caller }) => server.search(body, { key: caller.key })),
      );
    }, 60_000);
    afterAll(() => server.stop());

    const each = (check: (answer: Answer, sent: Sent) => void) => {
      for (const [index, answer] of answers.entries()) check(answer, sent[index] ?? fail());
    };

    it('answers all with 200, with every run in its place', () => {
      each((answer, { body, providers }) => {
        answered('search', answer);
        const places = runsOf(answer).map((run) => [
          run.batch_index,
          run.query,
          run.preprocessor_name,
        ]);
        expect(places).toEqual(
          body.user_input.flatMap(({ query }, index) =>
            providers.map((slug) => [index, query, slug]),
          ),
        );
      });
      const statuses = new Set(answers.map(({ json }) => json.status));
      expect(statuses).toEqual(new Set(['succeeded', 'partially_succeeded', 'failed']));
    });

    it('gives each request only the rows of its own queries', () => {
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

    it('lets only the faulty run fail, with its own error', () => {
      each((answer) => {
        for (const run of runsOf(answer)) {
          const failed = run.status === 'failed';
          expect([run.error === null, run.output_payload === null]).toEqual([!failed, failed]);
        }
      });
    });

    it('never shows a provider key, even if a provider echoes it', () => {
      const [plainStart = ''] = providerKey('').split('-');
      each(({ text }) => expect(text).not.toContain(plainStart));
    });

    it('returns each of them unchanged later, to every key of its project and no other key', async () => {
      const readers = new Map(sent.map(({ caller }) => [caller.project, caller.key]));
      await Promise.all(
        answers.map(async ({ json, text }, index) => {
          const path = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
          const own = sent[index]?.caller.project;
          const [other] = [...readers.keys()].filter((project) => project !== own);
          for (const project of [own, other]) {
            const read = await server.call('GET', path, {
              key: readers.get(project ?? '') ?? null,
            });
            const isOwn = project === own;
            expect(read.status).toBe(isOwn ? 200 : 404);
            if (isOwn) expect(read.text.startsWith(text.slice(0, -1))).toBe(true);
          }
        }),
      );
    });

    it('has one ledger row for each run, booked to the key that asked', async () => {
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
  },
);

function fail(): never {
  throw new Error('an answer without its request');
}
