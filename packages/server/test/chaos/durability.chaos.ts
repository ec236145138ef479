import { randomUUID } from 'node:crypto';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countRecords, figure, load, type Stub, sized, startStub, startTrawl } from './support.ts';

const ROUNDS = sized({ short: 1, full: 4 });
const CLIENTS = sized({ short: 12, full: 24 });
const ANSWERS_A_ROUND = sized({ short: 60, full: 200 });

describeOnDatabases('kill -9 under load', (database) => {
  let stub: Stub;
  let data: FreshDatabase;
  beforeAll(async () => {
    stub = await startStub({ delayMs: 20 });
    data = await database.create();
  });
  afterAll(async () => {
    await stub.stop();
    await data.drop();
  });

  const start = () => startTrawl({ location: data.location, settings: stub.settings });

  /**
   * Kills the server after this many answers and searches until it is gone. Returns the ids that
   * were answered.
   */
  async function searchUntilKilled(): Promise<readonly string[]> {
    const server = await start();
    const answered: string[] = [];
    const search = async (turn: number) => {
      const session_id = randomUUID();
      const answer = await server.search({ session_id, user_input: { query: `turn ${turn}` } });
      expect(answer.status, answer.text).toBe(200);
      answered.push(answer.text);
      if (answered.length === ANSWERS_A_ROUND) server.child.kill('SIGKILL');
    };
    const ending = load({ clients: CLIENTS, turns: Number.POSITIVE_INFINITY }, search);
    // the connection is gone: these requests may end in no other way
    await expect(ending).rejects.toBeInstanceOf(TypeError);
    await server.ended;
    await server.stop();
    return answered;
  }

  it('loses no acknowledged answer, and books each call once', async () => {
    const answered: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) answered.push(...(await searchUntilKilled()));

    const server = await start();
    let missing = 0;
    await load({ clients: 8, turns: answered.length }, async (turn) => {
      const text = answered[turn] ?? '';
      const { session_id, interaction_id } = JSON.parse(text);
      const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
      const read = await server.call(path);
      if (!read.text.startsWith(text.slice(0, -1))) missing += 1;
    });
    await server.stop();
    const records = await countRecords(data.location);
    const row = `kill-${database.name === 'SQLite' ? 'sqlite' : 'postgres'}`;
    figure(row, 'kills', ROUNDS);
    figure(row, 'acknowledged', answered.length);
    figure(row, 'missing', missing);
    figure(row, 'recorded interactions', records.interactions);
    figure(row, 'ledger rows', records.rows);
    figure(row, 'runs', records.runs);
    expect(answered.length).toBeGreaterThanOrEqual(ROUNDS * ANSWERS_A_ROUND);
    expect(missing).toBe(0);
    expect(records.rows).toBe(records.runs);
    expect(records.runs).toBe(records.interactions * 2);
  });
});

describeOnDatabases(
  'SIGTERM under load',
  (database) => {
    const CLIENTS_WAITING = sized({ short: 16, full: 48 });

    it('finishes and records what is in progress, and takes nothing new', async () => {
      const stub = await startStub({ delayMs: 3_000 });
      const data = await database.create();
      const server = await startTrawl({ location: data.location, settings: stub.settings });
      const search = () => server.search({ user_input: { query: 'tidal power' } });
      const answers = load({ clients: CLIENTS_WAITING, turns: CLIENTS_WAITING }, search);
      answers.catch(() => {});
      await expect.poll(async () => (await stub.counts()).calls).toBe(CLIENTS_WAITING * 2);
      const stoppedAt = performance.now();
      server.child.kill('SIGTERM');
      await server.logged('stopping: no new requests, waiting for those in progress');
      await expect(server.call('/healthz')).rejects.toBeInstanceOf(TypeError);
      const finished = (await answers).filter(({ status }) => status === 200);
      const { code } = await server.ended;
      const seconds = (performance.now() - stoppedAt) / 1000;
      const records = await countRecords(data.location);
      figure('sigterm', 'in progress', CLIENTS_WAITING);
      figure('sigterm', 'finished', finished.length);
      figure('sigterm', 'recorded', records.interactions);
      figure('sigterm', 'exit after', seconds, 's');
      expect(code).toBe(0);
      expect(finished).toHaveLength(CLIENTS_WAITING);
      expect(records.interactions).toBe(CLIENTS_WAITING);
      await server.stop();
      await stub.stop();
      await data.drop();
    });
  },
  'SQLite',
);
