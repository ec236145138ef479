import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonText } from '@trawl/base';
import { takenFor } from '@trawl/base/testing';
import type { RoutingEntry, Verdict } from '@trawl/contract';
import { databases, type TestStore } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { PROGRAM } from '@trawl/test-support/program';
import { interactionRecord, ledgerRecord, runRecord } from '@trawl/test-support/records';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from './support/run-program.ts';

const TIME_LIMIT_MS = 120_000;
const MINUTE_MS = 60_000;

/** What one provider answered. */
interface Answered {
  /** Hosts of its rows, best first. */
  readonly hosts: readonly string[];
  readonly ms?: number;
  readonly failed?: boolean;
  /** Feedback on its first row. */
  readonly said?: Verdict;
}

interface Asked {
  readonly query: string;
  readonly topic?: RoutingEntry['topic'] | null;
  readonly answers: Readonly<Record<string, Answered>>;
  /** Hosts that the session fetches afterwards. */
  readonly reads?: readonly string[];
}

const KEYS = Object.fromEntries(
  ['EXA', 'BRAVE', 'TAVILY', 'YOU', 'LINKUP'].map((name) => [`${name}_API_KEY`, 'sandbox']),
);
/** On news, of those with a key: exa and linkup do not run. */
const FIRST = ['brave', 'tavily', 'you'];

describe.each(databases.filter(({ name }) => byForm({ small: name === 'SQLite', full: true })))(
  'what trawl routing learns, on $name',
  { timeout: TIME_LIMIT_MS },
  (database) => {
    let opened: TestStore;
    let file: string;
    let projectId: string;
    let minutes = 0;
    beforeEach(async () => {
      opened = await database.open();
      file = join(tmpdir(), `order-${randomUUID()}.json`);
      projectId = randomUUID();
      await opened.store.keys.ensureProject({ id: projectId, name: 'main', createdAt: '' });
    });
    afterEach(async () => {
      await opened.cleanup();
      await rm(file, { force: true });
    });

    /** Records a search as a server does, and what its session fetched. */
    async function record({ query, topic = 'news', answers, reads }: Asked): Promise<void> {
      minutes += 3;
      const at = (minute: number) => new Date(Date.now() - minute * MINUTE_MS).toISOString();
      const ids = { id: randomUUID(), sessionId: randomUUID(), projectId };
      const createdAt = at(minutes);
      const runs = Object.entries(answers).map(
        ([provider, { hosts, ms = 500, failed }], position) => {
          const id = randomUUID();
          const results = hosts.map((host) => ({ url: `https://${host}/${provider}` }));
          const error = failed ? { code: 'timeout' } : null;
          const text = JSON.stringify({
            ...{ id, preprocessor_name: provider, batch_index: 0, query, latency_ms: ms, error },
            output_payload: failed ? null : { results },
          });
          return {
            id,
            provider,
            ms,
            text,
            record: runRecord(text, { id, position, name: provider }),
          };
        },
      );
      const ledger = runs.map(({ id, provider, ms }) =>
        ledgerRecord(ids, { createdAt, runId: id, provider, latencyMs: ms }),
      );
      const routing: RoutingEntry[] = [{ topic, score: 0.5, providers: [] }];
      await opened.store.recorder.record(
        interactionRecord({
          ...{ ...ids, createdAt, ledger, runs: runs.map((run) => run.record) },
          routing: topic === null ? null : jsonText(routing),
        }),
      );
      const rows = runs.flatMap(({ id, provider }, runPosition) => {
        const verdict = answers[provider]?.said;
        const row = { runPosition, provider, rank: 1, createdAt, runId: id, batchIndex: 0 };
        return verdict ? [{ ...row, verdict, url: null, userId: null, note: null }] : [];
      });
      if (rows.length > 0) {
        await opened.store.recorder.recordFeedback({ projectId, interactionId: ids.id, rows });
      }
      if (reads) {
        const urls = reads.map((host) => `https://${host}/page`);
        await opened.store.recorder.record(
          interactionRecord({
            ...{ projectId, sessionId: ids.sessionId, createdAt: at(minutes - 1), runs: [] },
            ...{ normalizedSchemaVersion: null, ledger: [] },
            userInput: takenFor(JSON.stringify({ urls })),
          }),
        );
      }
    }

    async function recordAll(count: number, asked: (index: number) => Omit<Asked, 'query'>) {
      for (let index = 0; index < count; index += 1) {
        await record({ query: `harbour strike ${index}`, ...asked(index) });
      }
    }

    async function routing(...args: readonly string[]) {
      const { dataDir, databaseUrl } = opened.location;
      return runProgram(PROGRAM, ['routing', ...args], {
        ...{ ...KEYS, DATA_DIR: dataDir },
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
        ...settings,
      });
    }
    let settings: Readonly<Record<string, string>> = {};
    afterEach(() => {
      settings = {};
    });

    const learned = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await routing('learn', '--json', ...args);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    const chosen = async () => {
      const { stdout } = await routing('explain', NEWS, '--json');
      const { topic, chosen: rows, ranking_version: version } = JSON.parse(stdout);
      return { topic, version, providers: rows.map((row: { provider: string }) => row.provider) };
    };

    /** The sixth of its answers is bad, so that gains differ. */
    const useful = (index: number, ms = 500): Answered =>
      index % 6 === 5 ? { hosts: ['spam.example'], ms } : { hosts: ['right.example'], ms };
    const useless = (index: number, ms = 500): Answered => ({
      hosts: [`other${index}.example`],
      ms,
    });

    /** linkup finds what sessions read afterwards; the others do so now and then. */
    const better = (index: number) => ({
      answers: {
        brave: useful(index),
        tavily: index % 4 === 0 ? useful(index) : useless(index),
        you: useful(index),
        linkup: useful(index),
      },
      reads: ['right.example'],
    });

    test('finds a provider that is better, and writes an order that the operator sets and takes back', async () => {
      await recordAll(80, better);
      const before = await chosen();
      expect(before).toMatchObject({ topic: 'news', providers: FIRST });

      const first = await routing('learn', '--json', '--out', file);
      expect([first.code, first.stderr]).toEqual([
        0,
        expect.stringContaining(`${file} is written`),
      ]);
      const { topics, proposal, judged } = JSON.parse(first.stdout);
      expect(judged).toBe(80);
      expect(topics).toMatchObject([
        {
          ...{ topic: 'news', queries: 80, labels: { feedback: 0, reads: 67, agreement: 13 } },
          ...{ in_use: FIRST, providers: [{}, {}, {}, { provider: 'tavily' }] },
          test: {
            ...{
              provider: 'linkup',
              replaces: 'tavily',
              decision: 'better',
              pairs: 80,
              tested: 40,
            },
            ...{ pairs_missing: 0 },
          },
        },
      ]);
      const { reward_gain: gain, best_gain: best, shuffled_gain: shuffled } = topics[0].test;
      expect(gain.low).toBeGreaterThan(0);
      expect(best).toBeGreaterThanOrEqual(gain.mean);
      expect(Math.abs(shuffled.mean)).toBeLessThan(gain.mean / 5);
      expect(shuffled.high).toBeLessThan(gain.mean);
      expect(proposal.topics.news).toContainEqual({
        provider: 'linkup',
        reason: expect.stringContaining('in the place of tavily: on 40 recorded queries'),
        source: `trawl routing learn, ${proposal.version}`,
      });
      expect(await readFile(file, 'utf8')).not.toContain('harbour');
      expect(await chosen()).toEqual(before);

      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(proposal);
      settings = { ROUTING_FILE: file };
      const after = await chosen();
      expect(after).toMatchObject({
        version: proposal.version,
        providers: ['brave', 'linkup', 'you'],
      });
      settings = {};
      expect(await chosen()).toEqual(before);
    });

    test('with labels that do not depend on the provider, nothing is proposed', async () => {
      // each answer is right as often as any other, in an order that no provider has a part in
      const isRight = (index: number, place: number) =>
        ((index * 7 + place * 11) * 2_654_435_761) % 97 < 48;
      await recordAll(80, (index) => ({
        answers: Object.fromEntries(
          ['brave', 'tavily', 'you', 'linkup'].map((provider, place) => [
            provider,
            isRight(index, place) ? useful(1) : useless(index),
          ]),
        ),
        reads: ['right.example'],
      }));
      const { topics, proposal } = await learned();
      expect(proposal).toBeNull();
      expect(topics[0].test.decision).not.toBe('better');
    });

    test('a fast provider that finds little does not win', async () => {
      await recordAll(60, (index) => ({
        answers: {
          brave: useful(index, 4_000),
          tavily: useful(index, 4_000),
          you: useful(index, 4_000),
          // right in half of the cases, so its quality per second is higher
          linkup: index % 2 === 0 ? useful(index, 10) : useless(index, 10),
        },
        reads: ['right.example'],
      }));
      const { topics, proposal } = await learned();
      const [{ provider }] = topics[0].providers;
      expect([provider, proposal]).toEqual(['linkup', null]);
      expect(topics[0].test).toMatchObject({ decision: 'worse' });
    });

    test('a provider that finds the same in less time wins', async () => {
      await recordAll(60, (index) => ({
        answers: {
          brave: useful(index, 1_000),
          tavily: useful(index, 8_000),
          you: useful(index, 1_000),
          linkup: useful(index, 700),
        },
        reads: ['right.example'],
      }));
      const { topics } = await learned();
      expect(topics[0].test).toMatchObject({ replaces: 'tavily', decision: 'better' });
    });

    test('too little data: how many queries are missing; a query that is repeated counts once', async () => {
      await recordAll(16, better);
      for (let again = 0; again < 30; again += 1)
        await record({ query: 'harbour strike 1', ...better(1) });
      const { topics, proposal } = await learned();
      expect(proposal).toBeNull();
      expect(topics[0]).toMatchObject({
        queries: 16,
        test: { decision: 'not separable', pairs: 16 },
      });
      expect(topics[0].test.pairs_missing).toBeGreaterThanOrEqual(24);
      const { stdout } = await routing('learn');
      expect(stdout).toMatch(
        /\d+ more queries that run on both tavily and linkup are needed \(80 % power\)/,
      );
      expect(stdout).toContain('Nothing is proposed.');
    });

    test('says so where no other provider ran next to those in use, and where nothing was recorded', async () => {
      const empty = await routing('learn');
      expect([empty.code, empty.stdout]).toEqual([
        0,
        expect.stringContaining('0 queries ran on several'),
      ]);
      await recordAll(3, (index) => ({
        answers: { brave: useful(index), tavily: useful(index), you: useful(index) },
      }));
      const { stdout } = await routing('learn');
      expect(stdout).toContain('No other provider ran on the same query');
    });

    test('feedback counts before what was read, and that before agreement', async () => {
      const answers = (said?: Verdict) => ({
        brave: { hosts: ['right.example'] },
        tavily: { hosts: ['right.example'] },
        linkup: { hosts: ['own.example'], ...(said ? { said } : {}) },
      });
      await record({ query: 'one', answers: answers('used'), reads: ['right.example'] });
      await record({ query: 'two', answers: answers(), reads: ['own.example'] });
      await record({ query: 'three', answers: answers(), reads: ['elsewhere.example'] });
      // that a result is wrong does not say which one is right
      await record({ query: 'four', answers: answers('wrong') });
      const { topics } = await learned();
      expect(topics[0].labels).toEqual({ gold: 0, feedback: 1, reads: 1, agreement: 2 });
      const qualities = topics[0].providers.map(
        ({ provider, quality }: { provider: string; quality: number }) => [provider, quality],
      );
      // brave and tavily agree with each other, one of two others, twice
      expect(Object.fromEntries(qualities)).toEqual({ linkup: 0.5, brave: 0.25, tavily: 0.25 });
    });

    test('a failed run is worth nothing, and a topic that was not recorded is determined now', async () => {
      const answers = { brave: { hosts: ['right.example'] }, linkup: { hosts: [], failed: true } };
      await record({ query: NEWS, topic: null, answers, reads: ['right.example'] });
      const { topics } = await learned();
      expect(topics).toMatchObject([
        {
          topic: 'news',
          providers: [
            { provider: 'brave', quality: 1 },
            { provider: 'linkup', quality: 0, reward: 0 },
          ],
        },
      ]);
    });

    test('an order of the operator is learned from, and kept for other topics', async () => {
      await recordAll(80, better);
      const own = join(tmpdir(), `own-${randomUUID()}.json`);
      const topics = { news: ['tavily', 'brave', 'you'], companies: ['exa'] };
      await writeFile(own, JSON.stringify({ topics }));
      settings = { ROUTING_FILE: own };
      const { proposal } = await learned();
      await rm(own);
      const slugs = (rows: readonly { provider: string }[]) => rows.map((row) => row.provider);
      expect(Object.keys(proposal.topics).sort()).toEqual(['companies', 'news']);
      expect(slugs(proposal.topics.news).slice(0, 4)).toEqual(['linkup', 'brave', 'you', 'tavily']);
      expect(slugs(proposal.topics.companies)).toEqual(['exa']);
    });

    test('covers the project and days asked for', async () => {
      await recordAll(3, better);
      await opened.store.keys.ensureProject({ id: randomUUID(), name: 'other', createdAt: '' });
      expect(await learned('--project', 'other')).toMatchObject({ project: 'other', queries: 0 });
      expect(await learned('--project', 'main')).toMatchObject({ queries: 3 });
      expect(await routing('learn', '--project', 'nowhere')).toMatchObject({ code: 1 });
      expect(await routing('learn', '--days', '0')).toMatchObject({ code: 2 });
    });

    test('a file that cannot be written is refused first', async () => {
      const { code, stderr } = await routing('learn', '--out', '/no/such/order.json');
      expect([code, stderr]).toEqual([1, expect.stringContaining('--out: /no/such/order.json')]);
    });

    test('without a key of a provider it says what is missing', async () => {
      settings = {
        ...Object.fromEntries(Object.keys(KEYS).map((name) => [name, ''])),
        KEYLESS_SEARCH: 'off',
      };
      const { code, stderr } = await routing('learn');
      expect([code, stderr]).toEqual([1, expect.stringContaining('no search provider has a key')]);
    });
  },
);

const NEWS = 'breaking news: harbour strike vote result today';
