import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { providerKey, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpDatabase, formsOf, secretsIn } from './support/secrets.ts';

const KEY = providerKey('exa');
const SECRETS = { exa: formsOf(KEY) };

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const html = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const uri = encodeURIComponent;

/** Forms in which a provider may echo its key inside a JSON string. */
const WRITTEN: Readonly<Record<string, (key: string) => string>> = {
  unchanged: json,
  'in JSON inside of JSON': (key) => json(json(key)),
  'in JSON inside of JSON inside of JSON': (key) => json(json(json(key))),
  'with escaped slashes': (key) => json(key).replaceAll('/', '\\/'),
  'with \\u escapes': (key) =>
    json(key).replace(/[/+=&]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in HTML': (key) => html(key),
  'in HTML with decimal references': (key) =>
    key.replace(/[^\w-]/g, (c) => `&#${c.charCodeAt(0)};`),
  'in HTML with hexadecimal references': (key) =>
    key.replace(/[^\w-]/g, (c) => `&#X${c.charCodeAt(0).toString(16)};`),
  'in HTML inside of HTML': (key) => html(html(key)),
  'in a URL': uri,
  'in a URL inside of a URL': (key) => uri(uri(key)),
  'in a form, in small hex digits': (key) =>
    new URLSearchParams({ key }).toString().replace(/%../g, (hex) => hex.toLowerCase()),
};

describe('a key that its provider echoes in another form', () => {
  let vendor: Server;
  let server: TestServer;

  beforeAll(async () => {
    vendor = createServer((request, response) => void answer(request, response));
    vendor.listen(0, '127.0.0.1');
    await once(vendor, 'listening');
    const { port } = vendor.address() as AddressInfo;
    const env = { EXA_BASE_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'trace' };
    server = await startTestServer({ env });
  });
  afterAll(async () => {
    await server.stop();
    vendor.close();
  });

  /** Answers `<status> <form>` of the query with the key in every place that we read or keep. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { query } = JSON.parse(Buffer.concat(chunks).toString());
    const [status, form] = query.split(': ');
    const key = WRITTEN[form]?.(String(request.headers['x-api-key'])) ?? '';
    const row = `{"url":"https://example.com/?k=${key}","title":"T ${key}","author":"${key}","highlights":["<b>${key}</b>"],"image":"https://example.com/${key}.png","debug":{"${key}":"${key}"}}`;
    response.writeHead(Number(status), {
      'content-type': 'application/json',
      'x-api-key': String(request.headers['x-api-key']),
      'set-cookie': `key=${uri(KEY)}`,
      location: `http://127.0.0.1:1/?key=${uri(KEY)}`,
      'retry-after': '0',
    });
    const isError = Number(status) >= 300;
    response.end(
      isError
        ? `{"requestId":"${key}","error":"bad ${key}","tag":"${key}"}`
        : `{"results":[${row}],"costDollars":{"total":0.1,"note":"${key}"},"output":{"content":"${key}"}}`,
    );
  }

  it.each(
    [200, 302, 400, 401, 500].flatMap((status) =>
      Object.keys(WRITTEN).map((form) => ({ status, form })),
    ),
  )('never reaches the caller: $status, $form', async ({ status, form }) => {
    const posted = await server.search({
      user_input: { query: `${status}: ${form}` },
      search: { tier: 'max', include_raw: true, providers: { include: ['exa'] } },
    });
    expect(posted.json.status).toBe(status === 200 ? 'succeeded' : 'failed');
    expect(posted.text).toContain('[redacted]');
    expect(secretsIn(posted.text, SECRETS)).toEqual([]);
    // decoding must not restore it
    const read = JSON.parse(posted.text, (_key, value) => {
      if (typeof value === 'string') expect(secretsIn(value, SECRETS)).toEqual([]);
      return value;
    });
    expect(read.preprocessor_runs).toHaveLength(1);
  });

  it('is not in the log or in the database', async () => {
    expect(secretsIn(server.logged(), SECRETS)).toEqual([]);
    for (const [table, text] of await dumpDatabase(server.database.location)) {
      expect(secretsIn(text, SECRETS).map((found) => `${table}: ${found}`)).toEqual([]);
    }
  });
});
