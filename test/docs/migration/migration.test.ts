import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assemble,
  leavesOf,
  type Migration,
  valueAt,
} from '../../../scripts/docs-tables/migration/mapping.ts';
import { MIGRATIONS } from '../../../scripts/docs-tables/migration/tables.ts';

const QUERY = { user_input: { query: 'tidal power' } };
const PAGE = { urls: ['https://news.example.com/a-page'] };
const nameOf = ({ vendor, path }: Migration): string => `${vendor} ${path}`;

/** The request that asks only this vendor. */
function requestOf({ vendor, route }: Migration, ask: JsonObject): JsonObject {
  if (route === 'fetch') {
    return { ...PAGE, ...ask, options: { ...part(ask.options), providers: [vendor] } };
  }
  const search = { ...part(ask.search), providers: { include: [vendor] } };
  return { ...QUERY, ...ask, search };
}

const part = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

describe('the request to the vendor', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const rows = MIGRATIONS.flatMap((migration) =>
    migration.requests.map(
      (row) => [nameOf(migration), JSON.stringify(row.sends), migration, row] as const,
    ),
  );
  test.each(rows)('%s: %s', async (_name, _sends, migration, { sends, ask }) => {
    server.sandbox.clearCalls();
    const answer = await server[migration.route](requestOf(migration, ask));
    expect([answer.status, answer.json.preprocessor_runs[0].error]).toEqual([200, null]);
    const [call] = server.sandbox.calls;
    expect(call?.path).toBe(migration.path);
    if (call?.method === 'POST') expect(call.json()).toMatchObject(sends);
    else expect(call?.query).toEqual(expect.arrayContaining(pairsOf(sends)));
  });
});

const pairsOf = (sends: JsonObject) =>
  leavesOf(sends).map(([name, value]) => [name, String(value)]);

describe('the places of values in the answer', () => {
  const answers = new Map<string, JsonObject>();
  const vendors = http.createServer(async (request, response) => {
    await request.resume().toArray();
    const path = (request.url ?? '').replace(/\?.*/, '');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers.get(path)));
  });
  let server: TestServer;
  beforeAll(async () => {
    vendors.listen(0, '127.0.0.1');
    await once(vendors, 'listening');
    const base = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
    for (const { vendor, path, responses } of MIGRATIONS) {
      answers.set(`/${vendor}${path}`, assemble(responses));
    }
    const env = MIGRATIONS.map(({ vendor }) => [
      `${vendor.toUpperCase()}_BASE_URL`,
      `${base}/${vendor}`,
    ]);
    server = await startTestServer({ env: Object.fromEntries(env) });
  });
  afterAll(async () => {
    await server.stop();
    vendors.closeAllConnections();
    vendors.close();
  });

  test.each(MIGRATIONS.map((migration) => [nameOf(migration), migration] as const))(
    '%s',
    async (_name, migration) => {
      const request = requestOf(migration, migration.askForAll);
      const answer = await server[migration.route](request);
      const [run] = answer.json.preprocessor_runs;
      const found = migration.responses.map(({ ours }) => [
        ours,
        valueAt(ours.startsWith('raw_payload') ? run : run.output_payload, ours),
      ]);
      const expected = migration.responses.map(({ ours, value, becomes = value }) => [
        ours,
        becomes,
      ]);
      expect(found).toEqual(expected);
    },
  );
});
