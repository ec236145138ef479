import { type Answer, startTestServer } from '@trawl/test-support/harness';
import { beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { routed, useRoutedServer, warningCodes } from '../spec/support/routed-server.ts';
import { asLine, search, useServer } from '../spec/support/search-runs.ts';
import { batchOf, type Run, slugsOf } from '../spec/support/server.ts';

/** A query with it makes the provider fail. The one retry comes at once. */
const outageOf = (slug: string) => `[[${slug}:status=500,retry-after=0]]`;
/** The default providers fail for queries with these words, by directives of the sandbox. */
const FAILING = '[[exa:status=401]] [[brave:status=402]] tidal power';

const statuses = ({ json }: Answer): string[] =>
  json.preprocessor_runs.map(
    ({ batch_index, preprocessor_name, status }: Run) =>
      `${batch_index} ${preprocessor_name} ${status}`,
  );

describe('fallback of a search', () => {
  const server = useServer();
  const ask = async (query: string | readonly string[], block: object, headers = {}) => {
    const user_input = typeof query === 'string' ? { query } : query.map((one) => ({ query: one }));
    const answer = await server().search({ user_input, search: block }, { headers });
    expect(answer.status, answer.text).toBe(200);
    return answer;
  };

  test.each([{}, { fallback: 'off' }, { fallback: [] }, { fallback: null }])(
    'is off with %j',
    async (block) => {
      const answer = await ask(FAILING, block);
      expect(statuses(answer)).toEqual(['0 exa failed', '0 brave failed']);
      expect(answer.json.status).toBe('failed');
    },
  );

  test('with auto the next provider answers, and its run says whom it replaces', async () => {
    const found = await search(server(), FAILING, { fallback: 'auto' });
    expect(found.runs.map((run) => run.preprocessor_name)).toHaveLength(3);
    expect(found.answer.status).toBe('partially_succeeded');
    const last = found.runs.at(-1);
    expect(last?.status).toBe('succeeded');
    const slug = last?.preprocessor_name ?? '';
    expect(found.warnings(slug)[0]).toBe(
      `fallback_used fallback: ${slug} was asked because exa (invalid_credential), brave (quota_exhausted) failed`,
    );
  });

  test.each(['/v1/search', '/v1/interactions'])(
    '%s: auto never leaves the providers that the request names',
    async (path) => {
      const body = {
        user_input: { query: FAILING },
        search: { fallback: 'auto', providers: { include: ['exa', 'brave'] } },
      };
      expect(statuses(await server().call('POST', path, { body }))).toEqual([
        '0 exa failed',
        '0 brave failed',
      ]);
    },
  );

  test('auto takes a provider of the list that routing did not choose', async () => {
    const include = ['tavily', 'parallel', 'seltz', 'you', 'linkup'];
    const failing = include.map(outageOf).join(' ');
    const block = { auto_routing: 'accuracy', fallback: 'auto', providers: { include } };
    const answer = await ask(`latest news about tidal power ${failing}`, block);
    const ran = slugsOf(answer);
    expect(ran.length).toBeGreaterThan(3);
    expect(ran.filter((slug) => !include.includes(slug))).toEqual([]);
  });

  test('with auto nothing more runs when one of the first succeeded', async () => {
    const answer = await ask(`${outageOf('exa')} tidal power`, { fallback: 'auto' });
    expect(statuses(answer)).toEqual(['0 exa failed', '0 brave succeeded']);
  });

  test('an answer without rows is an answer', async () => {
    const block = { fallback: ['tavily'], providers: { include: ['exa'] } };
    expect(statuses(await ask('[[exa:empty]] tidal power', block))).toEqual(['0 exa succeeded']);
  });

  test('a list runs in its order, at most two of it, until one succeeds', async () => {
    const list = { fallback: ['seltz', 'linkup', 'tavily'], providers: { include: ['exa'] } };
    const one = await ask(`${['exa', 'seltz'].map(outageOf).join(' ')} tides`, list);
    expect(statuses(one)).toEqual(['0 exa failed', '0 seltz failed', '0 linkup succeeded']);
    const none = await ask(`${['exa', 'seltz', 'linkup'].map(outageOf).join(' ')} tides`, list);
    expect(statuses(none)).toEqual(['0 exa failed', '0 seltz failed', '0 linkup failed']);
    const [, , last] = none.json.preprocessor_runs;
    expect(last.error.warnings.map(asLine)).toEqual([
      'fallback_used fallback: linkup was asked because exa (upstream_error), seltz (upstream_error) failed',
    ]);
  });

  test('passes over providers that ran, and excluded ones', async () => {
    const block = {
      fallback: ['exa', 'seltz', 'linkup', 'linkup'],
      providers: { exclude: ['seltz', 'brave'] },
    };
    const answer = await ask(`${outageOf('exa')} tides`, block);
    expect(statuses(answer)).toEqual(['0 exa failed', '0 linkup succeeded']);
  });

  test('each query of a batch goes on by itself, behind its other runs', async () => {
    const block = { fallback: ['tavily'] };
    const answer = await ask([FAILING, 'wind power', FAILING], block);
    expect(statuses(answer)).toEqual([
      ...['0 exa failed', '0 brave failed', '0 tavily succeeded'],
      ...['1 exa succeeded', '1 brave succeeded'],
      ...['2 exa failed', '2 brave failed', '2 tavily succeeded'],
    ]);
  });

  test('tier, raw answer and overrides are as for the first set', async () => {
    const { output, run } = await search(server(), FAILING, {
      fallback: ['tavily'],
      tier: 'extended',
      include_raw: true,
      provider_overrides: { tavily: { search_depth: 'advanced' } },
    });
    expect(output('tavily').tier).toBe('extended');
    expect(run('tavily').raw_payload).toMatchObject({ results: expect.any(Array) });
    expect(run('tavily').request_payload.body).toMatchObject({ search_depth: 'advanced' });
  });

  test('postprocessors read its rows', async () => {
    const body = {
      user_input: { query: FAILING },
      search: { fallback: ['tavily'] },
      postprocessor_names: ['rank_fusion'],
    };
    const { json } = await server().call('POST', '/v1/interactions', { body });
    const [fused] = json.postprocessor_runs;
    expect(fused.preprocessor_run_ids).toHaveLength(3);
    expect(fused.output_payload.results[0].sources[0].provider).toBe('tavily');
  });

  test('a stream has its run as an event, before the whole answer', async () => {
    const headers = { accept: 'text/event-stream' };
    const { text } = await ask(FAILING, { fallback: ['tavily'] }, headers);
    const events = text.split('\n\n').flatMap((event) => {
      const [name, data] = event.split('\n');
      return data?.startsWith('data: ')
        ? [{ name: name?.slice(7), data: JSON.parse(data.slice(6)) }]
        : [];
    });
    expect(events.map(({ name }) => name)).toEqual(['run', 'run', 'run', 'done']);
    expect(events[2]?.data.preprocessor_name).toBe('tavily');
    expect(events[3]?.data.preprocessor_runs[2]).toEqual(events[2]?.data);
  });

  test('a repeated request gets the same answer, and asks no provider again', async () => {
    const headers = { 'idempotency-key': 'fallback-1' };
    const block = { fallback: ['tavily'] };
    const first = await ask(FAILING, block, headers);
    const { length } = server().sandbox.calls;
    expect((await ask(FAILING, block, headers)).text).toBe(first.text);
    expect(server().sandbox.calls).toHaveLength(length);
  });

  test('the ledger has each run of it with its cost', async () => {
    const { json } = await ask(FAILING, { fallback: ['tavily'] });
    const rows = await server().server.store.reader.ledger(server().projectId, json.interaction_id);
    expect(
      rows.map(({ provider, outcome, costMicros }) => [provider, outcome, costMicros]),
    ).toEqual([
      ['exa', 'failed', null],
      ['brave', 'failed', null],
      ['tavily', 'succeeded', 8_000],
    ]);
  });

  test('a trajectory shows its run among the others', async () => {
    const { json } = await ask(FAILING, { fallback: ['tavily'] });
    const trajectory = await server().call('GET', `/v1/sessions/${json.session_id}/trajectory`);
    expect(trajectory.status).toBe(200);
    for (const { id } of json.preprocessor_runs) expect(trajectory.text).toContain(id);
  });

  test('dry_run lists what may follow, and counts it in max_total_usd only', async () => {
    const body = {
      user_input: { query: 'tides' },
      search: { fallback: ['tavily', 'seltz', 'you'] },
    };
    const { json } = await server().call('POST', '/v1/search?dry_run=true', { body });
    const data_use = expect.any(Object);
    expect(json).toEqual({
      dry_run: true,
      calls: [
        { provider: 'exa', batch_index: 0, cost_usd: 0.007, cost_kind: 'known', data_use },
        { provider: 'brave', batch_index: 0, cost_usd: 0.005, cost_kind: 'known', data_use },
        ...['tavily', 'seltz'].map((provider) => ({
          provider,
          batch_index: 0,
          cost_usd: expect.any(Number),
          cost_kind: expect.any(String),
          data_use,
          conditional: true,
        })),
      ],
      total_usd: 0.012,
      max_total_usd: expect.any(Number),
    });
    const sum = json.calls.reduce((total: number, call: Run) => total + call.cost_usd, 0);
    expect(json.max_total_usd).toBeCloseTo(sum, 9);
    const plain = await server().call('POST', '/v1/search?dry_run=true', {
      body: { user_input: { query: 'tides' } },
    });
    expect(plain.json).not.toHaveProperty('max_total_usd');
  });

  test('the volume rule counts the first set only', async () => {
    const provider_overrides = { tavily: { max_results: 20 } };
    const user_input = batchOf(16).map(({ query }) => ({ query: `${query} ${FAILING}` }));
    const block = { fallback: ['tavily'], num_results: 10, provider_overrides };
    const answer = await server().search({ user_input, search: block });
    expect(answer.status, answer.text).toBe(200);
    expect(slugsOf(answer).filter((slug) => slug === 'tavily')).toHaveLength(16);
  });
});

describe('a wrong fallback', () => {
  const server = useServer();
  const refusal = async (block: object) => {
    const body = { user_input: { query: 'tides' }, search: block };
    const { status, json } = await server().call('POST', '/v1/search', { body });
    expect(server().sandbox.calls).toEqual([]);
    return { status, json };
  };

  test('names the provider that it does not know, and the one that was meant', async () => {
    const { status, json } = await refusal({ fallback: ['tavly', 'exa'] });
    expect(status).toBe(400);
    expect(json.detail).toMatch(
      /^search\.fallback: unknown provider "tavly"; available providers: exa, /,
    );
    expect(json.hint).toBe('did you mean tavily?');
  });

  test('says that a fetch provider is one', async () => {
    const { status, json } = await refusal({ fallback: ['direct'] });
    expect(status).toBe(400);
    expect(json.hint).toContain('direct is a fetch provider');
  });

  test.each(['tavily', 'on', 5, true, {}])('%j is not a form of it', async (fallback) => {
    const { status, json } = await refusal({ fallback });
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([
      {
        type: 'value_error',
        loc: ['body', 'search', 'fallback'],
        msg: 'Value error, expected "auto", "off" or a list of providers, such as ["tavily", "you"]',
        input: fallback,
      },
    ]);
  });

  test('names the item that is not a name', async () => {
    const { status, json } = await refusal({ fallback: ['exa', 3] });
    expect(status).toBe(422);
    expect(json.detail).toMatchObject([
      { type: 'string_type', loc: ['body', 'search', 'fallback', 1], input: 3 },
    ]);
  });

  test('next to search it is refused with its place', async () => {
    const body = { user_input: { query: 'tides' }, fallback: 'auto' };
    const { status, json } = await server().call('POST', '/v1/search', { body });
    expect([status, json.detail[0].hint]).toEqual([422, 'put fallback into search']);
  });

  test('an override of a provider that cannot run is refused, as before', async () => {
    const provider_overrides = { tavily: {} };
    for (const more of [
      { fallback: 'auto' },
      { fallback: ['tavily'], providers: { exclude: ['tavily'] } },
    ]) {
      const { status, json } = await refusal({ ...more, provider_overrides });
      expect([status, json.detail]).toEqual([400, expect.stringContaining('tavily does not run')]);
    }
  });
});

describe('automatic fallback', () => {
  const NEWS = ['serpapi', 'exa', 'linkup', 'you', 'tavily'];
  const server = useRoutedServer({ news: NEWS }, { BREAKER: 'on' });
  const FIRST = ['exa', 'brave'];
  const failing = FIRST.map(outageOf).join(' ');
  beforeEach(() => server().sandbox.clearCalls());

  test('follows the ranking of the topic, without serpapi', async () => {
    const body = { user_input: { query: `news ${failing}` }, search: { fallback: 'auto' } };
    const answer = await server().search(body);
    expect(slugsOf(answer)).toEqual([...FIRST, 'linkup']);
    expect(answer.json.routing).toBeNull();
  });

  test('with auto-routing, the routing names all that ran, in their order', async () => {
    const failed = ['exa', 'linkup', 'you', 'tavily'].map(outageOf);
    const answer = await routed(server(), [`news ${failed.join(' ')}`, 'news'], {
      fallback: 'auto',
    });
    expect(answer.json.routing.map((entry: { providers: string[] }) => entry.providers)).toEqual([
      ['exa', 'linkup', 'you', 'tavily', 'brave'],
      ['exa', 'linkup', 'you'],
    ]);
    expect(warningCodes(answer).map((codes) => codes.includes('fallback_used'))).toEqual([
      ...[false, false, false, true, true],
      ...[false, false, false],
    ]);
  });

  test('passes over a provider whose circuit is open', async () => {
    const include = ['linkup'];
    const dead = {
      user_input: { query: '[[linkup:status=401]] x' },
      search: { providers: { include } },
    };
    await server().search(dead);
    const body = { user_input: { query: `news ${failing}` }, search: { fallback: 'auto' } };
    expect(slugsOf(await server().search(body))).toEqual([...FIRST, 'you']);
    const { json } = await server().call('POST', '/v1/search?dry_run=true', { body });
    const conditional = json.calls.filter((call: Run) => call.conditional);
    expect(conditional.map((call: Run) => call.provider)).toEqual(['you', 'tavily']);
  });

  test('uses the order of the roster where no topic is known, and looks none up before it is needed', async () => {
    const calls = server().embeddings.queryCalls().length;
    const fine = await server().search({
      user_input: { query: 'news' },
      search: { fallback: 'auto' },
    });
    expect(slugsOf(fine)).toEqual(FIRST);
    expect(server().embeddings.queryCalls()).toHaveLength(calls);
    server().embeddings.fail('status');
    const body = { user_input: { query: `other news ${failing}` }, search: { fallback: 'auto' } };
    expect(slugsOf(await server().search(body))).toEqual([...FIRST, 'tavily']);
  });
});

describe('SEARCH_FALLBACK with a wrong value', () => {
  test.each(['tavly', 'auto,exa', 'direct'])(
    '%s stops the start and says what is right',
    (SEARCH_FALLBACK) => {
      expect(() => readConfig({ SEARCH_FALLBACK })).toThrow(
        /SEARCH_FALLBACK must be off, auto or a comma list of exa, brave, .*; 1 of its names is none/,
      );
    },
  );

  test('a provider without a key is logged', async () => {
    const env = { SEARCH_FALLBACK: 'tavily,you', YOU_API_KEY: undefined };
    const server = await startTestServer({ env });
    await server.stop();
    expect(server.logged()).toContain('SEARCH_FALLBACK names you, but YOU_API_KEY is not set');
    expect(server.logged()).not.toContain('SEARCH_FALLBACK names tavily');
  });
});

describe('SEARCH_FALLBACK', () => {
  const server = useServer({ env: { SEARCH_FALLBACK: 'linkup,seltz' } });
  const body = (block: object = {}) => ({ user_input: { query: FAILING }, search: block });

  test('is for searches that do not choose themselves', async () => {
    expect(slugsOf(await server().search(body()))).toEqual(['exa', 'brave', 'linkup']);
    expect(slugsOf(await server().search(body({ fallback: 'off' })))).toEqual(['exa', 'brave']);
    const own = await server().search(body({ fallback: ['you'] }));
    expect(slugsOf(own)).toEqual(['exa', 'brave', 'you']);
  });

  test('is narrowed to the providers of a key, whose caller did not name them', async () => {
    const { id, key } = await server().makeKey('narrow');
    await server().server.store.keys.changeKey(id, { allowedProviders: ['exa', 'seltz'] });
    expect(slugsOf(await server().search(body(), { key }))).toEqual(['exa', 'seltz']);
  });
});

describe('fallback within the limits of a key', () => {
  const server = useServer();

  test('of its own choice takes only providers that the key may use', async () => {
    const { id, key } = await server().makeKey('narrow');
    await server().server.store.keys.changeKey(id, { allowedProviders: ['exa', 'you'] });
    const body = { user_input: { query: FAILING }, search: { fallback: 'auto' } };
    expect(slugsOf(await server().search(body, { key }))).toEqual(['exa', 'you']);
  });
});

describe('fallback within the limits of a budget and a request', () => {
  const server = useServer({ env: { EXA_TIMEOUT_MS: '300', REQUEST_DEADLINE_MS: '300' } });

  test('a budget reserves the most expensive path', async () => {
    const { id, key } = await server().makeKey('poor');
    await server().server.store.keys.changeKey(id, { monthlyBudgetMicros: 14_000 });
    const ask = (fallback: unknown, path = '/v1/search') => {
      const search = { fallback, providers: { include: ['exa'] } };
      return server().call('POST', path, { key, body: { user_input: { query: 'tides' }, search } });
    };
    // exa costs 0.007, tavily 0.008
    for (const path of ['/v1/search', '/v1/search?dry_run=true']) {
      const { status, json } = await ask(['tavily'], path);
      expect([status, json.detail]).toEqual([402, expect.stringContaining('about $0.015')]);
    }
    expect(server().sandbox.calls).toEqual([]);
    expect((await ask('off')).status).toBe(200);
    // there is nothing else in the list
    expect((await ask('auto')).status).toBe(200);
  });

  test('nothing more runs when the time of the request is over', async () => {
    const search = { fallback: ['tavily'], providers: { include: ['exa'] } };
    const body = { user_input: { query: '[[exa:hang]] tides' }, search };
    const answer = await server().search(body);
    expect(statuses(answer)).toEqual(['0 exa failed']);
    expect(answer.json.preprocessor_runs[0].error.code).toBe('timeout');
  });
});
