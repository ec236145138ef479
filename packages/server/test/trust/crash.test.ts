import { randomUUID } from 'node:crypto';
import { describeMainlyOn } from '@trawl/test-support/databases';
import {
  newSite,
  type RunningServer,
  request,
  type Site,
  startServe,
} from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROUNDS = 2;
/** Requests in progress at any time. */
const CLIENTS = 12;
/** The server is killed after this many answers, plus a random number of more, by `CRASH_SEED`. */
const ANSWERS = { least: 15, spread: 70 };
const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-crash-test';

interface Posted {
  readonly session_id: string;
  readonly interaction_id: string;
}

const SEED = Number(process.env.CRASH_SEED ?? Date.now());

describeMainlyOn('SQLite', `kill -9 under load (CRASH_SEED=${SEED})`, (database) => {
  let state = SEED + 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let site: Site;
  let server: RunningServer;
  /** All answers of all rounds, as text. */
  const acknowledged: string[] = [];

  beforeAll(async () => {
    site = await newSite(database);
    server = await start();
  });
  afterAll(async () => {
    await site.clear(server);
  });

  function start(): Promise<RunningServer> {
    const settings = { ...site.settings, BOOTSTRAP_API_KEY };
    return startServe({ settings, folder: site.folder });
  }

  /** Kills the server at a random moment and searches until it is gone. */
  async function searchUntilKilled(): Promise<void> {
    let left = ANSWERS.least + Math.floor(random() * ANSWERS.spread);
    const sessions = Array.from({ length: 4 }, () => randomUUID());
    const client = async (index: number) => {
      for (let turn = 0; ; turn += 1) {
        const body = {
          session_id: sessions[(index + turn) % sessions.length],
          user_input: [
            { query: `client ${index} turn ${turn}` },
            { query: 'b [[brave:status=400]]' },
          ],
          metadata: { index, turn },
          search: { tier: 'extended', include_raw: turn % 3 === 0 },
        };
        const answer = await request(`${server.url}/v1/search`, BOOTSTRAP_API_KEY, 'POST', body);
        expect(answer.status, answer.text).toBe(200);
        acknowledged.push(answer.text);
        left -= 1;
        if (left === 0) server.child.kill('SIGKILL');
      }
    };
    const clients = await Promise.allSettled(
      Array.from({ length: CLIENTS }, (_, index) => client(index)),
    );
    // fetch only fails with a TypeError when the connection is gone
    for (const { reason } of clients as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(TypeError);
    }
  }

  async function readBack(text: string): Promise<string> {
    const { session_id, interaction_id } = JSON.parse(text) as Posted;
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    return (await request(`${server.url}${path}`, BOOTSTRAP_API_KEY)).text;
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'has every answer, value for value, after the next start (round %i)',
    async () => {
      const before = acknowledged.length;
      await searchUntilKilled();
      expect((await server.ended).code).toBeNull();
      expect(acknowledged.length - before).toBeGreaterThanOrEqual(ANSWERS.least);

      server = await start();
      const read = await Promise.all(acknowledged.map(readBack));
      for (const [index, text] of acknowledged.entries()) {
        expect(read[index]?.startsWith(text.slice(0, -1))).toBe(true);
      }
    },
  );

  it('counts in each session exactly the readable interactions, none twice and none partially', async () => {
    const { sessions } = JSON.parse(
      (await request(`${server.url}/v1/sessions?limit=200`, BOOTSTRAP_API_KEY)).text,
    );
    expect(sessions).toHaveLength(4 * ROUNDS);
    const read = new Set<string>();
    for (const { id, interaction_count } of sessions) {
      const path = `/v1/sessions/${id}/history?type=full`;
      const { interactions } = JSON.parse(
        (await request(`${server.url}${path}`, BOOTSTRAP_API_KEY)).text,
      );
      expect(interactions).toHaveLength(interaction_count);
      for (const interaction of interactions) {
        expect(interaction.preprocessor_runs).toHaveLength(4);
        read.add(interaction.id);
      }
    }
    const missing = acknowledged.filter(
      (text) => !read.has((JSON.parse(text) as Posted).interaction_id),
    );
    expect(missing).toEqual([]);
  });
});
