import { fieldsOfTier, TIERS } from '@trawl/contract';
import { getJson } from 'serpapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverrides, type SearchPlan } from '../src/index.ts';
import { LoopbackAgent } from './support/loopback-agent.ts';
import { answered, searchOf } from './support/providers.ts';
import { type Recorder, startRecorder } from './support/recorder.ts';

const serpapi = searchOf('serpapi');

let recorder: Recorder;
let requestOptions: object;

beforeAll(async () => {
  recorder = await startRecorder({ search_metadata: { status: 'Success' } });
  requestOptions = { agent: new LoopbackAgent(recorder.url), protocol: 'http:' };
});
afterAll(() => recorder.stop());

const QUERY = 'café & crème, rust async';
const planOf = (tier: (typeof TIERS)[number]): SearchPlan => ({
  query: QUERY,
  count: 5,
  wanted: { tier, fields: new Set(fieldsOfTier(tier)), fullContent: true, overrides: {} },
});

/**
 * What the client sent, without `source`, in which it names itself. The order of parameters does
 * not matter.
 */
async function sentBy(parameters: object) {
  const sent = await recorder.sentBy(() =>
    getJson({ q: QUERY, engine: 'google', api_key: 'test-key', requestOptions, ...parameters }),
  );
  const { pathname, searchParams } = new URL(sent.path ?? '', recorder.url);
  searchParams.delete('source');
  return {
    method: sent.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: sent.body,
  };
}

test.each(TIERS)('sends what the serpapi client sends at %s, key aside', async (tier) => {
  const sent = await sentBy({});
  const call = serpapi.request(planOf(tier));
  expect(sent).toEqual({
    method: call.method,
    path: call.path,
    query: { ...call.query, api_key: 'test-key' },
    body: undefined,
  });
  expect(serpapi.authentication).toEqual({ in: 'query', name: 'api_key' });
});

test('spells overrides as the serpapi client does', async () => {
  const parameters = { gl: 'us', location: 'Austin, Texas', start: 10, no_cache: true };
  const call = applyOverrides(serpapi.request(planOf('default')), parameters);
  const spelled = Object.entries(call.query ?? {}).map(([name, value]) => [name, String(value)]);
  const { query } = await sentBy(parameters);
  expect(query).toEqual({ ...Object.fromEntries(spelled), api_key: 'test-key' });
});

test.each<[string, object, string | undefined, unknown]>([
  ['the answer of a box', { answer_box: { answer: '1856', snippet: 'x' } }, '1856', []],
  [
    'a box in a list',
    { answer_box: [{ result: '42', link: 'https://a.example.org/' }] },
    '42',
    [{ url: 'https://a.example.org/', title: null }],
  ],
  [
    'an overview where the box is without text',
    {
      answer_box: { type: 'weather_result', temperature: '12' },
      ai_overview: {
        text_blocks: [
          { snippet: 'One.' },
          { type: 'list', list: [{ title: 'B', snippet: 'Then.' }] },
          { snippet: 'Two.' },
        ],
        references: [{ title: 'A', link: 'https://a.example.org/', index: 0 }],
      },
    },
    'One.\n\nThen.\n\nTwo.',
    [{ url: 'https://a.example.org/', title: 'A' }],
  ],
  ['no answer from a token', { ai_overview: { page_token: 'x' } }, undefined, undefined],
])('reads %s', (_title, blocks, text, citations) => {
  const body = serpapi.response.parse({ organic_results: [], ...blocks });
  const { answer } = serpapi.parse(body, answered(planOf('max').wanted));
  expect([answer?.text, answer?.citations]).toEqual([text, citations]);
});
