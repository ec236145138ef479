import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { expect, it, onTestFinished } from 'vitest';
import {
  addWatch,
  movableClock,
  newsOf,
  nextRun,
  OFTEN,
  runsOf,
  SLOW_MACHINE_MS,
} from './support.ts';

const TEXT = 'Two turbines in the bay supply the town with power all through the year. ';

describeMainlyOn('SQLite', 'a watch of pages', (database) => {
  async function start() {
    let text = TEXT.repeat(8);
    let status = 200;
    const site = await serveHttp((response, { url }) => {
      const isThere = status === 200 || url === '/steady';
      response.writeHead(isThere ? 200 : status, { 'content-type': 'text/html' });
      response.end(`<title>Tides</title><main><h1>Tides</h1><p>${text}</p></main>`);
    });
    const { clock, passMinutes } = movableClock();
    const server = await startTestServer({
      database,
      clock,
      watchTimes: OFTEN,
      env: { FETCH_CHAIN: 'direct', FETCH_ALLOW_PRIVATE_HOSTS: `127.0.0.1:${site.port}` },
    });
    onTestFinished(() => server.stop());
    const set = (next: { text?: string; status?: number }) => {
      text = next.text ?? text;
      status = next.status ?? status;
    };
    return { site, server, passMinutes, set };
  }

  it(
    'has each text of a page once, also while the page is in the cache',
    async () => {
      const { site, server, passMinutes, set } = await start();
      const url = `${site.url}/news`;
      const made = await addWatch(server, { interval_minutes: 15, fetch: { urls: [url] } });
      const first = await nextRun(server, made.id);
      expect(first).toMatchObject({ last_status: 'succeeded', last_error: null, search: null });
      const before = TEXT.repeat(8);
      const after = `${before} A third one follows in spring.`;
      let last = first;
      for (const text of [before, after, before, after]) {
        set({ text });
        passMinutes(15);
        last = await nextRun(server, made.id, last.last_run_at);
      }
      const { news } = await newsOf(server, made.id);
      expect(news).toMatchObject([{ sequence: 1, kind: 'content', url, provider: 'direct' }]);
      const runs = await runsOf(server, made.session_id);
      const rows = runs[2].preprocessor_runs[0].output_payload.fetched_results;
      expect(rows[0].content).toContain('A third one');
      expect(news[0]).toMatchObject({
        content_sha256: rows[0].content_sha256,
        interaction_id: runs[2].id,
        title: rows[0].title,
      });
    },
    SLOW_MACHINE_MS,
  );

  it(
    'takes the first text of each page as what later ones are compared with',
    async () => {
      const { site, server, passMinutes, set } = await start();
      set({ status: 404 });
      const urls = [`${site.url}/steady`, `${site.url}/later`];
      const made = await addWatch(server, { interval_minutes: 15, fetch: { urls } });
      const first = await nextRun(server, made.id);
      expect(first).toMatchObject({
        last_status: 'partial',
        last_error: { status: 200, message: expect.stringContaining(`${site.url}/later`) },
        failures: 0,
      });
      set({ status: 200 });
      passMinutes(15);
      const second = await nextRun(server, made.id, first.last_run_at);
      expect(second).toMatchObject({ last_status: 'succeeded', news_count: 0 });
      set({ text: TEXT.repeat(9) });
      passMinutes(15);
      await nextRun(server, made.id, second.last_run_at);
      const { news } = await newsOf(server, made.id);
      expect(news.map((item: { url: string }) => item.url)).toEqual(urls);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'loses news with the interactions that found them, and does not have them again',
    async () => {
      const { site, server, passMinutes, set } = await start();
      const made = await addWatch(server, {
        interval_minutes: 15,
        fetch: { urls: [`${site.url}/news`] },
      });
      const first = await nextRun(server, made.id);
      set({ text: TEXT.repeat(9) });
      passMinutes(15);
      const second = await nextRun(server, made.id, first.last_run_at);
      expect((await newsOf(server, made.id)).news).toHaveLength(1);
      const session = `/v1/sessions/${made.session_id}`;
      expect((await server.call('DELETE', session)).status).toBe(204);
      expect((await newsOf(server, made.id)).news).toEqual([]);
      passMinutes(15);
      const third = await nextRun(server, made.id, second.last_run_at);
      expect(third).toMatchObject({ last_status: 'succeeded', news_count: 1 });
      // the session began anew
      expect(await runsOf(server, made.session_id)).toHaveLength(1);
    },
    SLOW_MACHINE_MS,
  );
});
