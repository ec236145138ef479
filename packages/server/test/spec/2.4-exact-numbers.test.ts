import { describe, expect, test } from 'vitest';
import { PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { useStubbedServer } from './support/stubbed-server.ts';

const LONG = '12345678901234567890';

describe('whole numbers beyond 2^53', () => {
  const server = useStubbedServer();
  const sent = (search: string) =>
    `{"user_input":{"query":"tides","id":${LONG}},"metadata":{"order":[${LONG}]},"search":${search}}`;
  const post = async (search: string, headers = {}) => {
    server().respond('exa', () => ({
      body: `{"results":[{"url":"https://a.example/","title":"A","bigid":${LONG},"subpages":[{"id":9007199254740993}]}]}`,
    }));
    const answer = await server().call('POST', '/v1/search', { rawBody: sent(search), headers });
    expect(answer.status, answer.text).toBe(200);
    const { session_id, interaction_id } = answer.json;
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    const read = await server().call('GET', path);
    return { answer, read, session: session_id };
  };
  const MAX = '{"providers":{"include":["exa"]},"tier":"max","include_raw":true}';

  test('2.1 metadata and user_input come back with the digits that came in', async () => {
    const { read, session } = await post(MAX);
    expect(read.text).toContain(`"metadata":{"order":[${LONG}]}`);
    expect(read.text).toContain(`"id":${LONG}`);
    for (const path of ['history?type=full', 'trajectory']) {
      const { text } = await server().call('GET', `/v1/sessions/${session}/${path}`);
      expect(text).toContain(`"id":${LONG}`);
    }
  });

  test('2.5 rule 4: enrichments and raw_payload are verbatim', async () => {
    const { answer, read } = await post(MAX);
    for (const { text } of [answer, read]) {
      expect(text.match(new RegExp(`"bigid":${LONG}`, 'g'))).toHaveLength(2);
      expect(text.match(/"subpages":\[\{"id":9007199254740993\}\]/g)).toHaveLength(2);
    }
  });

  test('2.11 overrides are sent with their digits', async () => {
    const block = `{"providers":{"include":["exa"]},"provider_overrides":{"exa":{"cursor":${LONG}}}}`;
    const { answer } = await post(block);
    expect(answer.text).toContain(`"cursor":${LONG}`);
  });

  test('8: a repeat with another number is another request', async () => {
    const headers = { 'idempotency-key': 'exact-numbers' };
    await post(MAX, headers);
    const other = sent(MAX).replaceAll(LONG, '12345678901234567891');
    const { status } = await server().call('POST', '/v1/search', { rawBody: other, headers });
    expect(status).toBe(422);
  });

  test('2.2 one in the place of an option is refused as too large', async () => {
    const rawBody = `{"user_input":{"query":"q"},"search":{"num_results":${LONG}}}`;
    const { status, text } = await server().call('POST', '/v1/search', { rawBody });
    expect(status).toBe(422);
    expect(text).toContain(`"type":"less_than_equal"`);
  });
});

describe('2.9 structured', () => {
  const stub = useStubFor('brightdata');

  test('2.9 brightdata: a record keeps its long ids', async () => {
    const url = 'https://www.linkedin.com/company/harbour-lights';
    const about = 'We light harbours, and have done so for many years along the whole coast.';
    stub().respond(() => ({
      headers: { 'content-type': 'application/json' },
      body: `[{"input":{"url":"${url}"},"url":"${url}","id":"harbour-lights","name":"Harbour Lights","about":"${about}","company_id":${LONG},"followers":${LONG}}]`,
    }));
    const { text } = await pageOf(stub(), 'brightdata', url, { tier: 'max' });
    expect(PAGE).not.toBe(url);
    expect(text).toContain(`"followers":${LONG}`);
  });
});
