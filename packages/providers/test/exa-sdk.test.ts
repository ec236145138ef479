import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fieldsOfTier, type Tier } from '@trawl/contract';
import { Exa } from 'exa-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchOf } from './support/providers.ts';

const exa = searchOf('exa');

/** Compares what the vendor's own client sends with the declaration. */
const seen: {
  method: string | undefined;
  path: string | undefined;
  key: unknown;
  type: unknown;
  body: unknown;
}[] = [];

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

const server = createServer(async (request, response) => {
  seen.push({
    method: request.method,
    path: request.url,
    key: request.headers['x-api-key'],
    type: request.headers['content-type'],
    body: await bodyOf(request),
  });
  response.setHeader('content-type', 'application/json').end('{"requestId":"0a","results":[]}');
});

let client: Exa;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new Exa('test-key', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => server.close());

const QUERY = 'node 20 release notes';
const EXTRAS = { links: 10, imageLinks: 10 };

test.each<[Tier, boolean, object | false]>([
  ['minimalist', false, false],
  ['default', false, { highlights: true }],
  ['extended', false, { highlights: true }],
  ['extended', true, { text: true, highlights: true }],
  ['max', false, { text: true, highlights: true, summary: { query: QUERY }, extras: EXTRAS }],
])('sends what exa-js sends at %s (full content: %s)', async (tier, fullContent, contents) => {
  seen.length = 0;
  await client.search(QUERY, { type: 'auto', numResults: 5, contents } as never);
  const call = exa.request({
    query: QUERY,
    count: 5,
    wanted: { tier, fields: new Set(fieldsOfTier(tier)), fullContent, overrides: {} },
  });
  expect(seen).toEqual([
    {
      method: call.method,
      path: call.path,
      key: 'test-key',
      type: 'application/json',
      body: call.body,
    },
  ]);
  expect(exa.authentication).toEqual({ in: 'header', name: 'x-api-key' });
});
