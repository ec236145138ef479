import { describeOnDatabases } from '@trawl/test-support/databases';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, it, onTestFinished } from 'vitest';
import { startReplicas } from '../support/replicas.ts';
import {
  addWatch,
  movableClock,
  newsOf,
  nextRun,
  readWatch,
  runsOf,
  SEARCH,
  SEARCH_USD,
  startExa,
} from './support.ts';

const INTERVALS = 5;
const WATCHES = 3;
const SECRET = 'a-secret-of-the-webhook';

describeOnDatabases(
  'watches over two servers',
  (database) => {
    it(`run once at each of ${INTERVALS} intervals, are paid once, and are alerted once`, async () => {
      const exa = await startExa();
      const hook = await serveHttp((response) => sendJson(response, {}));
      const { clock, passMinutes } = movableClock();
      const replicas = await startReplicas({
        database,
        clock,
        // both look all the time, so that they meet at each run
        watchTimes: { lookMs: 3 },
        env: {
          EXA_BASE_URL: exa.url,
          ALERT_WEBHOOK_URL: hook.url,
          ALERT_WEBHOOK_SECRET: SECRET,
          PUBLIC_URL: 'https://trawl.example.com',
        },
      });
      onTestFinished(() => replicas.stop());
      const [server, other] = replicas.servers;
      const body = { interval_minutes: 15, search: SEARCH };
      const ids: string[] = [];
      for (let count = 0; count < WATCHES; count += 1) ids.push((await addWatch(server, body)).id);
      const last = new Map<string, string>();
      const allRun = async () => {
        for (const id of ids) {
          const watch = await nextRun(server, id, last.get(id) ?? null);
          expect(watch.last_status).toBe('succeeded');
          last.set(id, watch.last_run_at);
        }
      };
      await allRun();
      for (let turn = 1; turn <= INTERVALS; turn += 1) {
        exa.rows = ['a', `new-${turn}`];
        passMinutes(15);
        await allRun();
      }
      const runs = (INTERVALS + 1) * WATCHES;
      expect(exa.received).toHaveLength(runs);
      const interactions = new Set<string>();
      for (const id of ids) {
        const { session_id, news_count } = await readWatch(server, id);
        const own = await runsOf(other, session_id, server.key);
        expect(own).toHaveLength(INTERVALS + 1);
        for (const one of own) interactions.add(one.id);
        expect(news_count).toBe(INTERVALS);
        const { news } = await newsOf(server, id);
        expect(news.map(({ url }: { url: string }) => url)).toEqual(
          Array.from({ length: INTERVALS }, (_, turn) => `https://www.example.com/new-${turn + 1}`),
        );
        expect(news.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
          Array.from({ length: INTERVALS }, (_, turn) => turn + 1),
        );
      }
      expect(interactions.size).toBe(runs);
      const { rows } = (await server.call('GET', '/v1/usage?group_by=provider')).json;
      expect(rows).toEqual([expect.objectContaining({ provider: 'exa', calls: runs })]);
      expect(rows[0].cost_usd).toBeCloseTo(runs * SEARCH_USD, 6);
      // both took part
      for (const { logged } of replicas.servers) expect(logged()).toContain('a watch ran');

      await expect.poll(() => hook.received.length, { timeout: 20_000 }).toBe(INTERVALS * WATCHES);
      const alerts = hook.received.map(({ body: text }) => JSON.parse(text));
      expect(new Set(alerts.map(({ data }) => data.interaction_id)).size).toBe(alerts.length);
      const [first] = alerts;
      expect(first).toMatchObject({
        type: 'watch',
        message: `Watch ${first.data.watch_id} found 1 new item.`,
        data: {
          news: 1,
          url: `https://trawl.example.com/v1/watches/${first.data.watch_id}/news?after=0`,
        },
      });
      for (const { body: text } of hook.received) {
        expect(text).not.toContain('tidal');
        expect(text).not.toContain('example.com/new');
      }
    }, 180_000);
  },
  'PostgreSQL',
);
