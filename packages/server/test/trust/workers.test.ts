import { existsSync } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { childrenOf } from '../support/processes.ts';
import {
  logLines,
  newSite,
  type RunningServer,
  request,
  runProgram,
  type Settings,
  type Site,
  startProgram,
  startServe,
} from './support/program.ts';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-workers-test';

describeOnDatabases(
  'a server of two processes',
  (database) => {
    let site: Site;
    let server: RunningServer;
    beforeAll(async () => {
      site = await newSite(database);
      await start();
    });
    afterAll(async () => {
      await site.clear(server);
    });

    const settings = (more: Settings = {}): Settings => ({
      ...site.settings,
      BOOTSTRAP_API_KEY,
      WORKERS: '2',
      ...more,
    });
    const start = async (more?: Settings, program?: string) => {
      server = await startServe({ settings: settings(more), folder: site.folder, program });
      await moreListen(2, 0);
    };
    const restart = async (more?: Settings, program?: string) => {
      server.child.kill('SIGKILL');
      await server.ended;
      await start(more, program);
    };
    // what a test leaves behind, or ended, is not for the next one
    let isSpoilt = false;
    beforeEach(async () => {
      if (isSpoilt || server.child.exitCode !== null) await restart();
      isSpoilt = false;
    });
    afterEach(({ task }) => {
      isSpoilt = task.result?.state === 'fail';
    });
    /** Resolves when so many processes more than before have said that they listen. */
    const moreListen = (count: number, before: number) =>
      vi.waitFor(() => expect(lines('listening')).toHaveLength(before + count), {
        timeout: 30_000,
      });
    const listened = () => lines('listening').length;
    const lines = (message: string) =>
      logLines(server.stdout()).filter(({ msg }) => msg === message);

    it('says once what its processes do not share', () => {
      const [line, ...more] = logLines(server.stdout()).filter(({ msg }) =>
        String(msg).includes('are per process'),
      );
      expect(line).toMatchObject({ worker: 1 });
      expect(line?.msg).toMatch(/^WORKERS is 2 without REDIS_URL: rate limits, circuits, /);
      expect(more).toEqual([]);
    });

    it('shares the connections evenly', async () => {
      const perConnection = 4;
      const connections = Array.from({ length: 16 }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let at = 0; at < perConnection; at += 1) expect(await searchBy(agent)).toBe(200);
        return agent;
      });
      for (const agent of await Promise.all(connections)) agent.destroy();
      const servedBy = (worker: number) =>
        lines('request').filter((line) => line.worker === worker).length;
      // a line is written after its answer
      await vi.waitFor(() =>
        expect([servedBy(1), servedBy(2)]).toStrictEqual([8 * perConnection, 8 * perConnection]),
      );
    });

    it('adds up the metrics of its processes, also of those that have ended', async () => {
      const total = async () => {
        const { text } = await request(`${server.url}/metrics`, undefined);
        const counts = text.matchAll(
          /^http_server_request_duration_seconds_count\{.*http_route="\/v1\/search".*\} (\d+)$/gm,
        );
        return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
      };
      expect(await search()).toBe(200);
      const before = await total();
      expect(before).toBeGreaterThan(0);
      const listening = listened();
      const [victim] = childrenOf(server.child.pid);
      process.kill(victim ?? 0, 'SIGKILL');
      await moreListen(1, listening);
      expect(await total()).toBe(before);
    });

    it('replaces a process that is killed; only the requests of that process fail', async () => {
      site.sandbox.clearCalls();
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const answers = Array.from({ length: 8 }, () => searchBy(agent, 'slow [[*:latency=1500]]'));
      const settled = Promise.allSettled(answers);
      await vi.waitFor(() => expect(site.sandbox.calls).toHaveLength(16), { timeout: 20_000 });
      const listening = listened();
      const [victim] = childrenOf(server.child.pid);
      process.kill(victim ?? 0, 'SIGKILL');
      const outcomes = (await settled).map(({ status }) => status);
      agent.destroy();
      expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(4);
      await moreListen(1, listening);
      const others = await Promise.all(Array.from({ length: 4 }, search));
      expect(others).toEqual(Array(4).fill(200));
    });

    it('gives no more connections to a process that hangs, and stops without it', async () => {
      const [victim = 0] = childrenOf(server.child.pid);
      process.kill(victim, 'SIGSTOP');
      // some of these go to it, and wait there
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const first = Promise.allSettled(Array.from({ length: 8 }, () => searchBy(agent)));
      // a process that leaves a connection for a second gets no more: until then some of these wait there, too
      const newConnections = new Agent();
      const searchSoon = () => Promise.race([searchBy(newConnections), setTimeout(1_000, 'waits')]);
      await vi.waitFor(
        async () => {
          const many = Array.from({ length: 20 }, searchSoon);
          expect(await Promise.all(many)).toEqual(Array(20).fill(200));
        },
        { timeout: 30_000 },
      );
      server.child.kill('SIGTERM');
      const { code } = await server.ended;
      expect(code).toBe(0);
      expect(isRunning(victim)).toBe(false);
      await first;
      agent.destroy();
    });

    it('closes connections that a killed process had not taken yet', async () => {
      // earlier tests leave connections open, so only a new server shares eight evenly
      await restart();
      const listening = listened();
      const [victim = 0] = childrenOf(server.child.pid);
      process.kill(victim, 'SIGSTOP');
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const answers = Array.from({ length: 8 }, () => searchBy(agent));
      const settled = Promise.allSettled(answers);
      await Promise.any(answers);
      process.kill(victim, 'SIGKILL');
      const outcomes = (await settled).map(({ status }) => status);
      agent.destroy();
      expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(4);
      await moreListen(1, listening);
    });

    it('goes on when a process cannot be replaced yet', async () => {
      const program = join(site.folder, 'node');
      await copyFile(process.execPath, program);
      await restart({}, program);
      await rm(program);
      const listening = listened();
      const [victim = 0] = childrenOf(server.child.pid);
      process.kill(victim, 'SIGKILL');
      await vi.waitFor(
        () => expect(lines('a worker ended; it is replaced').length).toBeGreaterThan(1),
        {
          timeout: 20_000,
        },
      );
      expect(await search()).toBe(200);
      await copyFile(process.execPath, program);
      await chmod(program, 0o755);
      await moreListen(1, listening);
    });

    it('answers connections that came while it had no process', async () => {
      const ended = () => lines('a worker ended; it is replaced').length;
      const before = { ended: ended(), listening: lines('listening').length };
      for (const victim of childrenOf(server.child.pid)) process.kill(victim, 'SIGKILL');
      await vi.waitFor(() => expect(ended()).toBe(before.ended + 2), { timeout: 20_000 });
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const answers = Array.from({ length: 8 }, () => searchBy(agent));
      expect(await Promise.all(answers)).toEqual(Array(8).fill(200));
      agent.destroy();
      await moreListen(2, before.listening);
    });

    it('gives no more connections to a process that stops by itself', async () => {
      site.sandbox.clearCalls();
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      const answers = Array.from({ length: 4 }, () => searchBy(agent, 'slow [[*:latency=1500]]'));
      await vi.waitFor(() => expect(site.sandbox.calls).toHaveLength(8), { timeout: 20_000 });
      const before = { served: lines('request').length, listening: lines('listening').length };
      const [leaving = 0] = childrenOf(server.child.pid);
      process.kill(leaving, 'SIGTERM');
      const { worker } = await server.logged(
        'stopping: no new requests, waiting for those in progress',
      );
      const others = await Promise.all(Array.from({ length: 6 }, search));
      expect(others).toEqual(Array(6).fill(200));
      expect(await Promise.all(answers)).toEqual(Array(4).fill(200));
      agent.destroy();
      const later = lines('request').slice(before.served);
      const byLeaving = later.filter((line) => line.worker === worker);
      expect(byLeaving.filter(({ latency_ms }) => Number(latency_ms) < 1000)).toEqual([]);
      await moreListen(1, before.listening);
    });

    it('that is killed while its processes start leaves none of them', async () => {
      const { child, stdout } = await startProgram({
        args: ['serve'],
        settings: settings(),
        folder: site.folder,
      });
      // a line of the first process, before it listens
      await vi.waitFor(() => expect(stdout()).toContain('are per process'), {
        timeout: 20_000,
        interval: 5,
      });
      const [starting = 0] = childrenOf(child.pid);
      expect(isRunning(starting)).toBe(true);
      child.kill('SIGKILL');
      await vi.waitFor(() => expect(isRunning(starting)).toBe(false), { timeout: 20_000 });
    });

    it('goes on at a SIGHUP while its first process starts', async () => {
      const program = await startProgram({
        args: ['serve'],
        settings: settings(),
        folder: site.folder,
      });
      await vi.waitFor(() => expect(program.stdout()).toContain('are per process'), {
        timeout: 20_000,
        interval: 5,
      });
      program.child.kill('SIGHUP');
      const listened = () => logLines(program.stdout()).filter(({ msg }) => msg === 'listening');
      await vi.waitFor(() => expect(listened()).toHaveLength(2), { timeout: 30_000 });
      program.child.kill('SIGTERM');
      expect((await program.ended).code).toBe(0);
    });

    it('finishes the requests in progress of all processes at SIGTERM, then ends with 0', async () => {
      site.sandbox.clearCalls();
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      const answers = Array.from({ length: 4 }, () => searchBy(agent, 'slow [[*:latency=800]]'));
      await vi.waitFor(() => expect(site.sandbox.calls).toHaveLength(8), { timeout: 20_000 });
      const stopped = lines('stopped').length;
      server.child.kill('SIGTERM');
      expect(await Promise.all(answers)).toEqual(Array(4).fill(200));
      agent.destroy();
      const { code, stderr } = await server.ended;
      expect([code, stderr]).toEqual([0, '']);
      expect(lines('stopped')).toHaveLength(stopped + 2);
      await expect(request(`${server.url}/healthz`, undefined)).rejects.toMatchObject({
        cause: { code: 'ECONNREFUSED' },
      });
    });

    it('closes connections beyond the limits of its processes, and goes on', async () => {
      await restart({ MAX_CONNECTIONS: '2' });
      const { hostname, port } = new URL(server.url);
      const sockets = Array.from({ length: 7 }, () => net.connect(Number(port), hostname));
      for (const socket of sockets) socket.on('error', () => {});
      await vi.waitFor(() => expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(3));
      for (const socket of sockets) socket.destroy();
      await vi.waitFor(async () => expect(await search()).toBe(200), { timeout: 10_000 });
    });

    it('that cannot start says why once, and ends', async () => {
      const { port } = new URL(server.url);
      const { code, stderr } = await runProgram({
        args: ['serve'],
        settings: settings({ PORT: port }),
        folder: site.folder,
      });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^trawl: cannot listen on .*the port is in use.*\n$/);
    });

    it('starts none by hand', async () => {
      const args = ['serve', '--worker', '3'];
      const { code, stderr } = await runProgram({
        args,
        settings: settings(),
        folder: site.folder,
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining('set WORKERS')]);
    });

    const search = async () => {
      const body = { user_input: { query: 'tidal power' } };
      return (await request(`${server.url}/v1/search`, BOOTSTRAP_API_KEY, 'POST', body)).status;
    };

    /** @returns the status of a search on a connection of this agent */
    const searchBy = (agent: Agent, query = 'tidal power'): Promise<number> =>
      new Promise((resolve, reject) => {
        const asked = httpRequest(
          `${server.url}/v1/search`,
          {
            method: 'POST',
            agent,
            headers: {
              authorization: `Bearer ${BOOTSTRAP_API_KEY}`,
              'content-type': 'application/json',
            },
          },
          (answer) => {
            answer.resume();
            answer.on('end', () => resolve(answer.statusCode ?? 0));
            answer.on('error', reject);
          },
        );
        asked.on('error', reject);
        asked.end(JSON.stringify({ user_input: { query } }));
      });
  },
  'PostgreSQL',
);

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}/exe`);
