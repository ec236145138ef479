import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { describeOnDatabases, runOnPostgres, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, newProject } from '@trawl/test-support/records';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../src/opening/open-store.ts';

describeOnDatabases(
  'a database at the end of a line',
  (database) => {
    let opened: TestStore;
    let projectId: string;

    beforeEach(async () => {
      opened = await database.open();
      projectId = await newProject(opened.store);
    });
    afterEach(() => opened.cleanup());

    function record(): Promise<void> {
      return opened.store.recorder.record(interactionRecord({ projectId }));
    }

    async function storedSessions(): Promise<number> {
      const page = { limit: 1_000, before: undefined };
      return (await opened.store.reader.sessions(projectId, page)).length;
    }

    it.each([
      ['a group', () => interactionRecord({ projectId })],
      [
        'a group of repeatable requests',
        () => interactionRecord({ projectId, repeat: { key: randomUUID(), bodyDigest: '' } }),
      ],
    ])(
      'acknowledges %s whose connection broke before it could report the commit',
      async (_, recordOf) => {
        const url = new URL(opened.location.databaseUrl ?? '');
        const line = await openLine(url.hostname, Number(url.port || 5432));
        url.host = `127.0.0.1:${line.port}`;
        const store = await openStore({
          ...opened.location,
          databaseUrl: url.href,
          workerUrl: opened.workerUrl,
          onWorkerError: (error) => expect.unreachable(error.message),
        });
        await store.ping();
        line.cutAfterNextCommit();
        const records = Array.from({ length: 10 }, recordOf);
        await Promise.all(records.map((one) => store.recorder.record(one)));
        expect(line.cuts()).toBe(1);
        expect(await storedSessions()).toBe(10);
        for (const { sessionId } of records) {
          const session = await store.reader.session(projectId, sessionId);
          expect(session).toMatchObject({ interactionCount: 1 });
        }
        await store.close();
        line.server.close();
      },
    );

    it('goes on when the server drops all its connections, idle and at work', async () => {
      await Promise.all([record(), opened.store.keys.revision()]);
      const name = new URL(opened.location.databaseUrl ?? '').searchParams.get('application_name');
      let recorded = 1;
      for (let round = 0; round < 5; round += 1) {
        const atWork = Array.from({ length: 50 }, () => record());
        const finished = Promise.allSettled(atWork);
        await Promise.race(atWork.slice(round * 10));
        await runOnPostgres(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`,
        );
        const settled = await finished;
        recorded += settled.filter(({ status }) => status === 'fulfilled').length;
      }
      await record();
      expect(recorded).toBeGreaterThan(5);
      // A connection that broke during a commit cannot report that it succeeded.
      expect(await storedSessions()).toBeGreaterThanOrEqual(recorded + 1);
      expect(opened.workerErrors).toStrictEqual([]);
    });
  },
  'PostgreSQL',
);

/** A connection to the database that can be cut while the answer to a commit is being sent. */
async function openLine(
  host: string,
  port: number,
): Promise<{
  readonly server: Server;
  readonly port: number;
  readonly cutAfterNextCommit: () => void;
  readonly cuts: () => number;
}> {
  let armed = false;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(port, host);
    let committing = false;
    client.on('data', (chunk) => {
      // a group is one statement, which is its own transaction
      committing ||= armed && chunk.includes('insert into sessions');
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!committing) return void client.write(chunk);
      armed = false;
      committing = false;
      cuts += 1;
      client.destroy();
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const arm = () => {
    armed = true;
  };
  return {
    server,
    port: typeof address === 'object' && address ? address.port : 0,
    cutAfterNextCommit: arm,
    cuts: () => cuts,
  };
}
