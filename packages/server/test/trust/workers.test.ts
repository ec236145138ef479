import { existsSync } from 'node:fs';
import { chmod, copyFile, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { fully } from '@trawl/test-support/form';
import { childrenOf } from '@trawl/test-support/processes';
import {
  logLines,
  newSite,
  type RunningServer,
  request,
  runProgram,
  type Settings,
  type Site,
  startProgram,
} from '@trawl/test-support/program';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-workers-test';
const MAX_CONNECTIONS = 32;
const REPLACED = 'a worker ended; it is replaced';
const WAIT = { timeout: 30_000, interval: 20 };

describeOnDatabases(
  'a server of two processes',
  (database) => {
    let site: Site;
    let server: RunningServer;
    /** A Node.js that a test can remove. */
    let program: string;
    beforeAll(async () => {
      site = await newSite(database);
      program = join(site.folder, 'node');
      await copyFile(process.execPath, program);
      await start();
    });
    afterAll(async () => {
      kill();
      await site.clear(server);
    });

    const settings = (more: Settings = {}): Settings => ({
      ...site.settings,
      BOOTSTRAP_API_KEY,
      WORKERS: '2',
      MAX_CONNECTIONS: String(MAX_CONNECTIONS),
      ...more,
    });
    /** Starts one, and sends it a SIGHUP while its first process starts. */
    const start = async () => {
      const starting = { args: ['serve'], settings: settings(), folder: site.folder };
      const running = await startProgram({ ...starting, program });
      // a line of the first process, before it listens
      await vi.waitFor(() => expect(running.stdout()).toContain('are per process'), WAIT);
      running.child.kill('SIGHUP');
      const { url } = await running.logged('listening');
      server = { ...running, url: String(url) };
      await moreListen(2, 0);
    };
    /** Ends the server, also a worker that hangs. */
    const kill = () => {
      if (server.child.exitCode !== null) return;
      const workers = childrenOf(server.child.pid);
      server.child.kill('SIGKILL');
      for (const pid of workers) process.kill(pid, 'SIGKILL');
    };
    // what a test leaves behind, or ended, is not for the next one
    let isSpoilt = false;
    beforeEach(async () => {
      if (server.child.exitCode === null && !isSpoilt) return;
      kill();
      await server.ended;
      await start();
      isSpoilt = false;
    });
    afterEach(({ task }) => {
      isSpoilt = task.result?.state === 'fail';
    });
    /** Resolves when so many processes more than before have said that they listen. */
    const moreListen = (count: number, before: number) =>
      vi.waitFor(() => expect(lines('listening')).toHaveLength(before + count), WAIT);
    const listened = () => lines('listening').length;
    const lines = (message: string) =>
      logLines(server.stdout()).filter(({ msg }) => msg === message);

    it('goes on at a SIGHUP while its first process starts', () => {
      expect(listened()).toBe(2);
      expect(server.child.exitCode).toBeNull();
    });

    it('says once what its processes do not share', () => {
      const [line, ...more] = logLines(server.stdout()).filter(({ msg }) =>
        String(msg).includes('are per process'),
      );
      expect(line).toMatchObject({ worker: 1 });
      expect(line?.msg).toMatch(/^WORKERS is 2 without REDIS_URL: rate limits, circuits, /);
      expect(more).toEqual([]);
    });

    it('shares the connections, at most 40 to 60', async () => {
      const agents = await connections(16);
      for (const agent of agents) agent.destroy();
      // a line is written after its answer
      await vi.waitFor(() => expect(lines('request')).toHaveLength(16), WAIT);
      const first = lines('request').filter(({ worker }) => worker === 1).length;
      expect(first / 16).toBeGreaterThanOrEqual(0.4);
      expect(first / 16).toBeLessThanOrEqual(0.6);
    });

    it('closes connections beyond the limits of its processes, and goes on', async () => {
      const { hostname, port } = new URL(server.url);
      // while one process is slow, the other one gets more of them
      const all = Array.from({ length: 8 * MAX_CONNECTIONS }, () =>
        net.connect(Number(port), hostname),
      );
      for (const socket of all) socket.on('error', () => {});
      const left = () => all.filter(({ destroyed }) => !destroyed).length;
      await vi.waitFor(() => expect(left()).toBe(2 * MAX_CONNECTIONS), WAIT);
      for (const socket of all) socket.destroy();
      // both have room again
      await vi.waitFor(async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, search));
        expect(answers).toEqual(Array(8).fill(200));
      }, WAIT);
    });

    it('replaces a process that is killed; only the requests of that process fail, and its metrics still count', async () => {
      const agents = await connections(8, 'opened');
      // a process that is slow for a second gets fewer of them
      const opened = () => lines('request').filter((line) => line.request_id === 'opened');
      await vi.waitFor(() => expect(opened()).toHaveLength(8), WAIT);
      const before = await searchesCounted();
      expect(before).toBeGreaterThanOrEqual(8);
      site.sandbox.clearCalls();
      const answers = agents.map((agent) => searchBy(agent, 'slow [[*:latency=3000]]'));
      const settled = Promise.allSettled(answers);
      await vi.waitFor(() => expect(site.sandbox.calls).toHaveLength(16), WAIT);
      const listening = listened();
      const [victim] = childrenOf(server.child.pid);
      process.kill(victim ?? 0, 'SIGKILL');
      const outcomes = (await settled).map(({ status }) => status);
      for (const agent of agents) agent.destroy();
      await moreListen(1, listening);
      const killed = lines(REPLACED).at(-1)?.worker;
      const others = opened().filter(({ worker }) => worker !== killed);
      expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(others.length);
      expect(others.length).toBeLessThan(8);
      expect(await searchesCounted()).toBe(before + others.length);
      expect(await Promise.all(Array.from({ length: 4 }, search))).toEqual(Array(4).fill(200));
    });

    /** In the metrics of the server, which a process that is busy for two seconds fails. */
    const searchesCounted = () =>
      vi.waitFor(async () => {
        const { status, text } = await request(`${server.url}/metrics`, undefined);
        expect(status).toBe(200);
        const counts = text.matchAll(
          /^http_server_request_duration_seconds_count\{.*http_route="\/v1\/search".*\} (\d+)$/gm,
        );
        return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
      }, WAIT);

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

    fully('closes connections that a killed process had not taken yet', async () => {
      const listening = listened();
      const [victim = 0] = childrenOf(server.child.pid);
      process.kill(victim, 'SIGSTOP');
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      let answered = 0;
      const answers = Array.from({ length: 8 }, async () => {
        await searchBy(agent);
        answered += 1;
      });
      const settled = Promise.allSettled(answers);
      // one is on its way to the process that hangs
      await vi.waitFor(() => expect(answered).toBe(7), WAIT);
      process.kill(victim, 'SIGKILL');
      const outcomes = (await settled).map(({ status }) => status);
      agent.destroy();
      expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(7);
      await moreListen(1, listening);
    });

    fully('answers again when all its processes were killed', async () => {
      const listening = listened();
      for (const victim of childrenOf(server.child.pid)) process.kill(victim, 'SIGKILL');
      await moreListen(1, listening);
      // PORT=0 may be another one now
      server = { ...server, url: String(lines('listening').at(-1)?.url) };
      expect(await Promise.all(Array.from({ length: 8 }, search))).toEqual(Array(8).fill(200));
      await moreListen(2, listening);
    });

    fully('that is killed while its processes start leaves none of them', async () => {
      const { child, stdout } = await startProgram({
        args: ['serve'],
        settings: settings(),
        folder: site.folder,
      });
      // a line of the first process, before it listens
      await vi.waitFor(() => expect(stdout()).toContain('are per process'), WAIT);
      const [starting = 0] = childrenOf(child.pid);
      expect(isRunning(starting)).toBe(true);
      child.kill('SIGKILL');
      await vi.waitFor(() => expect(isRunning(starting)).toBe(false), WAIT);
    });

    it('finishes the requests in progress of all processes at SIGTERM, then ends with 0', async () => {
      site.sandbox.clearCalls();
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      const answers = Array.from({ length: 4 }, () => searchBy(agent, 'slow [[*:latency=800]]'));
      await vi.waitFor(() => expect(site.sandbox.calls).toHaveLength(8), WAIT);
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

    // on another server: the pause before a replacement grows with each process that did not live
    // long
    fully('gives no more connections to a process that stops by itself', async () => {
      site.sandbox.clearCalls();
      const agent = new Agent({ keepAlive: true, maxSockets: 4 });
      const answers = Array.from({ length: 4 }, () => searchBy(agent, 'slow [[*:latency=5000]]'));
      await vi.waitFor(() => expect(site.sandbox.calls).toHaveLength(8), WAIT);
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

    fully('goes on when a process cannot be replaced yet', async () => {
      await rm(program);
      const listening = listened();
      const ended = lines(REPLACED).length;
      const [victim = 0] = childrenOf(server.child.pid);
      process.kill(victim, 'SIGKILL');
      await vi.waitFor(() => expect(lines(REPLACED).length).toBeGreaterThan(ended + 1), WAIT);
      expect(await search()).toBe(200);
      await copyFile(process.execPath, program);
      await chmod(program, 0o755);
      await moreListen(1, listening);
    });

    fully('gives no more connections to a process that hangs, and stops without it', async () => {
      const [victim = 0] = childrenOf(server.child.pid);
      process.kill(victim, 'SIGSTOP');
      // some of these go to it, and wait there
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const first = Promise.allSettled(Array.from({ length: 8 }, () => searchBy(agent)));
      // a process that leaves a connection for a second gets no more: until then some of these wait
      // there, too
      const newConnections = new Agent();
      const searchSoon = () => Promise.race([searchBy(newConnections), setTimeout(1_000, 'waits')]);
      await vi.waitFor(async () => {
        const many = Array.from({ length: 20 }, searchSoon);
        expect(await Promise.all(many)).toEqual(Array(20).fill(200));
      }, WAIT);
      server.child.kill('SIGTERM');
      const { code } = await server.ended;
      expect(code).toBe(0);
      expect(isRunning(victim)).toBe(false);
      await first;
      agent.destroy();
    });

    /** New connections, opened one after the other. */
    const connections = async (count: number, id?: string): Promise<Agent[]> => {
      const agents: Agent[] = [];
      while (agents.length < count) {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        expect(await searchBy(agent, 'tidal power', id)).toBe(200);
        agents.push(agent);
      }
      return agents;
    };

    /** On a connection of its own. */
    const search = (): Promise<number> => searchBy(new Agent());

    /** @returns the status of a search on a connection of this agent */
    const searchBy = (agent: Agent, query = 'tidal power', id = 'a-search'): Promise<number> =>
      new Promise((resolve, reject) => {
        const asked = httpRequest(
          `${server.url}/v1/search`,
          {
            method: 'POST',
            agent,
            headers: {
              authorization: `Bearer ${BOOTSTRAP_API_KEY}`,
              'content-type': 'application/json',
              'x-request-id': id,
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
