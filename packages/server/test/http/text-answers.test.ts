import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const BODY = { user_input: { query: 'tidal power' } };
const PAGES = { urls: ['https://news.example.com/a-page'] };
const typeOf = (accept: string | undefined, path = '/v1/search', body: object = BODY) =>
  server
    .call('POST', path, { body, headers: accept === undefined ? {} : { accept } })
    .then(({ headers }) => headers.get('content-type'));

describe('the type of an answer', () => {
  test.each([
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['TEXT/Markdown;q=0.1, application/json', 'text/markdown; charset=utf-8'],
    ['application/json, text/markdown', 'text/markdown; charset=utf-8'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/plain, text/html;q=0.5', 'text/plain; charset=utf-8'],
    ['text/plain, application/json;q=0', 'text/plain; charset=utf-8'],
    // what clients send who want JSON
    ['text/markdown;q=0', 'application/json'],
    ['text/markdown;q=0.0, */*', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/plain, */*', 'application/json'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/html', 'application/json'],
    ['text/*', 'application/json'],
    ['', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/markdown, text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
  ])('for Accept: %s is %s', async (accept, type) => {
    expect(await typeOf(accept)).toBe(type);
  });

  test('is JSON for other routes, dry runs and errors', async () => {
    expect(await typeOf('text/markdown', '/v1/search?dry_run=true')).toBe('application/json');
    expect(await typeOf('text/markdown', '/v1/search', {})).toBe('application/json');
    const { headers } = await server.call('GET', '/v1/sessions', {
      headers: { accept: 'text/markdown' },
    });
    expect(headers.get('content-type')).toBe('application/json');
  });
});

const asText = { headers: { accept: 'text/markdown' } };

describe('a text answer', () => {
  test('of a search names its record, which reads back as the same text', async () => {
    const { text, headers } = await server.search(BODY, asText);
    expect(text).toMatch(/^Results from the web[\s\S]*<results [\s\S]*<\/results>/);
    const session = headers.get('x-trawl-session-id');
    const interaction = headers.get('x-trawl-interaction-id');
    const path = `/v1/interactions?session_id=${session}&interaction_id=${interaction}`;
    const read = await server.call('GET', path, asText);
    expect(read.text).toBe(text);
    expect(read.headers.get('x-trawl-interaction-id')).toBe(interaction);
    expect((await server.call('GET', path)).json.interaction_id).toBe(interaction);
  });

  test('of a fetch has numbered sources', async () => {
    const { text } = await server.fetch(PAGES, asText);
    expect(text).toContain('<source number="1" url="https://news.example.com/a-page"');
    expect(text).toContain('1 of 1 pages fetched.');
  });

  test('is no longer than max_chars', async () => {
    const { text } = await server.call('POST', '/v1/search?max_chars=2000', {
      body: BODY,
      ...asText,
    });
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toContain('Truncated');
    for (const max of ['1999', '200001', 'x']) {
      const { status, json } = await server.call('POST', `/v1/fetch?max_chars=${max}`, {
        body: PAGES,
        ...asText,
      });
      expect(status, max).toBe(422);
      expect(JSON.stringify(json)).toContain('max_chars');
    }
  });

  test('of a repeated request is the same', async () => {
    const headers = { ...asText.headers, 'idempotency-key': 'text' };
    const first = await server.call('POST', '/v1/interactions', { body: BODY, headers });
    const second = await server.call('POST', '/v1/interactions', { body: BODY, headers });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});
