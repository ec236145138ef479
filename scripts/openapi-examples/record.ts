import { isoTime } from '@trawl/base';
import type { Examples, RouteExamples, RouteId } from '@trawl/contract';
import { NOT_RECORDED } from './not-recorded.ts';
import { type Sent, type Service, startService } from './service.ts';

/**
 * The examples of all routes as JSON: requests as they are written here, and what a server in front
 * of the sandbox answers. The text is the same each time.
 */
export async function recordedExamples(): Promise<string> {
  const service = await startService();
  try {
    const operations = { ...NOT_RECORDED, ...(await searches(service)), ...(await admin(service)) };
    return `${withPlainIds(JSON.stringify(operations, null, 2))}\n`;
  } finally {
    await service.stop();
  }
}

type Recorded = Partial<Record<RouteId, RouteExamples>>;

// biome-ignore lint/suspicious/noExplicitAny: an answer is any JSON, and the tests of the contract check it
type Answer = any;

const LATENCY_MS = 640;

/**
 * What differs from run to run or from machine to machine, by the names of members, and the ends,
 * since the clock stands still.
 */
const MEASURED: Readonly<Record<string, (value: Answer) => unknown>> = {
  latency_ms: () => LATENCY_MS,
  retry_after_ms: () => 30_000,
  last_four: () => 'x7Qe',
  score: (value) => Number(value.toFixed(3)),
  completed_at: (began) => isoTime(Date.parse(began) + LATENCY_MS),
};

const parsed = (text: string): Answer =>
  JSON.parse(text, (name, value) => (value === null ? null : (MEASURED[name]?.(value) ?? value)));

/** Ids by their order in the text, and secrets that no server has made. */
function withPlainIds(text: string): string {
  const plain = new Map<string, string>();
  return text
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => {
      const made = `019a7b1c-52e0-7000-8000-${String(plain.size + 1).padStart(12, '0')}`;
      plain.set(id, plain.get(id) ?? made);
      return plain.get(id) ?? made;
    })
    .replaceAll(/\btk_[\w-]{43}/g, `tk_${'0'.repeat(43)}`);
}

const one = (name: string, summary: string, value: unknown): Examples => ({
  [name]: { summary, value },
});

/** The forms in which a route answers the same request. */
function formsOf({ send }: Service) {
  const answered = async (id: RouteId, sent?: Sent): Promise<Answer> =>
    parsed(await send(id, sent));
  return {
    answered,
    answer: async (id: RouteId, name: string, summary: string, sent?: Sent): Promise<Examples> =>
      one(name, summary, await answered(id, sent)),
    dryRun: async (id: RouteId, summary: string, sent?: Sent): Promise<Examples> => {
      const query = { ...sent?.query, dry_run: 'true' };
      return one('dry_run', summary, await answered(id, { ...sent, query }));
    },
    text: async (id: RouteId, sent: Sent): Promise<Examples> => {
      const value = await send(id, { ...sent, accept: 'text/markdown' });
      return one('text', 'With Accept: text/markdown: text for a model', value);
    },
    events: async (id: RouteId, summary: string, sent: Sent): Promise<Examples> => {
      const stream = await send(id, { ...sent, accept: 'text/event-stream' });
      const value = stream.replaceAll(
        /^data: (.*)$/gm,
        (_, data: string) => `data: ${JSON.stringify(parsed(data))}`,
      );
      return one('streamed', summary, value);
    },
  };
}

const WOULD_CALL = 'With dry_run=true: what would be called';
const PRICE = 'What it would cost';
const PROVIDER = 'exa';
const QUERY = 'tidal power';
/** Pages that the examples read; the sandbox has no page `missing`. */
const PAGE = 'https://www.example.org/energy/tidal-power';
const MISSING = 'https://www.example.org/energy/missing';

const asked = (query: string, ...include: string[]) => ({
  user_input: { query },
  search: { providers: { include }, num_results: 1 },
});
const SEARCH = asked(QUERY, PROVIDER);
const READ_TWO = {
  urls: [PAGE, MISSING],
  options: { tier: 'minimalist', inline_max_chars: 500, providers: ['tinyfish'] },
};

/** All but the operator API, as one session of work. */
async function searches(service: Service): Promise<Recorded> {
  const { answered, answer, dryRun, text, events } = formsOf(service);
  const { sandbox } = service;

  const search = await answered('search', { body: SEARCH });
  const { session_id, interaction_id } = search;
  const params = { interaction_id };
  const inSession = { session_id, ...SEARCH };
  const two = asked(QUERY, PROVIDER, 'brave');
  sandbox.inject('brave', 'status=429');
  const partial = await answered('search', {
    body: { ...two, search: { ...two.search, auto_routing: 'accuracy' } },
  });
  sandbox.clearFaults();
  const searched = {
    dryRun: await dryRun('search', WOULD_CALL, { body: two }),
    events: await events('search', 'Runs as they arrive', { body: SEARCH }),
  };
  const asText = await text('search', { body: inSession });
  const [row] = search.preprocessor_runs[0].output_payload.results;
  const used = { results: [{ url: row.url, verdict: 'used' }], user_id: 'ada' };
  const said = await answered('giveFeedback', { params, body: used });
  const fused = { user_id: 'ada', ...asked(QUERY, PROVIDER), postprocessor_names: ['rank_fusion'] };
  const longer = await answered('search', {
    body: { ...inSession, search: { ...SEARCH.search, num_results: 2 } },
  });
  const ofSession = { params: { session_id } };
  const record = { query: { session_id, interaction_id } };
  const quotes = {
    session_id,
    quotes: [
      { text: row.summary.slice(0, row.summary.indexOf(' ', 40)), url: row.url },
      { text: 'tidal power is free of charge' },
    ],
  };
  const question = { query: 'how do tidal stream turbines work' };
  const small = {
    ...question,
    max_tokens: 500,
    max_pages: 1,
    search: { providers: { include: [PROVIDER] }, num_results: 2 },
  };
  const probe = { params: { name: PROVIDER }, body: { operation: 'search' } };
  sandbox.inject(PROVIDER, 'status=401');
  const refused = await answered('probe', probe);
  sandbox.clearFaults();
  // it closes the circuit that the refusal opened
  const works = await answered('probe', probe);
  const sessions = await answered('listSessions', { query: { limit: '2' } });
  const ofDay = { from: '2026-03-02', to: '2026-03-03', group_by: 'day,provider' };
  const { preprocessors } = await answered('preprocessors');
  const { fetch_providers } = await answered('fetchProviders');

  return {
    search: {
      ...searched,
      text: asText,
      request: {
        ...one('query', 'One query', { user_input: { query: QUERY } }),
        ...one('batch', 'Two queries on two providers, with longer passages', {
          user_input: [{ query: QUERY }, { query: 'wave power', asked_by: 'agent 7' }],
          metadata: { trajectory_goal: 'compare marine energy' },
          search: {
            tier: 'extended',
            num_results: 3,
            providers: { include: [PROVIDER, 'brave'] },
            provider_overrides: { brave: { country: 'GB' } },
          },
        }),
        ...one('resilient', 'Another provider where all of these fail', {
          user_input: { query: QUERY },
          search: { fallback: ['tavily', 'you'] },
        }),
        ...one('routed', 'Providers chosen by the topic of the query, fields by name', {
          user_input: { query: 'quarterly report of a turbine maker' },
          search: { auto_routing: 'accuracy', fields: ['url', 'title', 'publish_date'] },
        }),
      },
      answer: {
        ...one('succeeded', 'Every provider answered', search),
        ...one('partial', 'A provider failed: still a 200', partial),
      },
    },
    fetch: {
      request: {
        ...one('page', 'One page', { urls: [PAGE] }),
        ...one('pages', 'Two pages, cut to 500 characters each', READ_TWO),
        ...one('fresh', 'A pinned chain, past the page cache, as plain text', {
          urls: [PAGE],
          options: { providers: ['jina', PROVIDER], content_format: 'text', no_cache: true },
        }),
      },
      answer: await answer(
        'fetch',
        'pages',
        'A page that was read, and one that does not exist: still a 200',
        { body: READ_TWO },
      ),
      dryRun: await dryRun('fetch', WOULD_CALL, { body: READ_TWO }),
      events: await events('fetch', 'Pages as they arrive', {
        body: { ...READ_TWO, urls: [PAGE] },
      }),
      text: await text('fetch', { body: READ_TWO }),
    },
    createInteraction: {
      ...searched,
      text: asText,
      request: {
        ...one('fused', 'A search with one list of all rows', fused),
        ...one('step', 'A step without a search', {
          metadata: { trajectory_goal: 'compare marine energy' },
        }),
      },
      answer: await answer('createInteraction', 'fused', 'A search with one list of all rows', {
        body: fused,
      }),
    },
    context: {
      request: {
        ...one('question', 'A question', question),
        ...one('small', 'A small context of one page, within a cost and a time', {
          ...small,
          max_cost_usd: 0.05,
          max_seconds: 10,
        }),
      },
      answer: await answer('context', 'context', 'Sources with their passages', { body: small }),
      dryRun: await dryRun('context', WOULD_CALL, { body: small }),
      events: await events('context', 'Sources as their text arrives', { body: small }),
      text: await text('context', { body: small }),
    },
    readInteraction: {
      answer: await answer('readInteraction', 'search', 'A search', record),
      text: await text('readInteraction', record),
    },
    giveFeedback: {
      request: one('used', 'One row was used', used),
      answer: one('said', 'One row was used', said),
    },
    readFeedback: {
      answer: await answer('readFeedback', 'said', 'One row was used', { params }),
    },
    replay: {
      ...searched,
      request: one('example', 'It has no options', {}),
      answer: await answer('replay', 'search', 'The search again', { params, body: {} }),
    },
    diff: {
      answer: await answer('diff', 'longer', 'A search, and a later one that asked for more', {
        params,
        query: { with: longer.interaction_id },
      }),
    },
    verify: {
      request: one('quotes', 'Two quotes, one of them with its source', quotes),
      answer: await answer('verify', 'verified', 'One was found, one was not', { body: quotes }),
    },
    listSessions: { answer: one('sessions', 'Two sessions', sessions) },
    sessionHistory: {
      answer: {
        ...(await answer('sessionHistory', 'short', 'A first page', {
          ...ofSession,
          query: { limit: '1' },
        })),
        ...(await answer('sessionHistory', 'full', 'With type=full', {
          ...ofSession,
          query: { type: 'full', limit: '1' },
        })),
      },
    },
    sessionTrajectory: {
      answer: await answer('sessionTrajectory', 'tree', 'A first page: one search with one row', {
        ...ofSession,
        query: { limit: '1' },
      }),
    },
    usage: {
      answer: await answer('usage', 'by_day_and_provider', 'By day and provider', { query: ofDay }),
      csv: one(
        'table',
        'By day and provider, as a table',
        await service.send('usage', { query: { ...ofDay, format: 'csv' } }),
      ),
    },
    preprocessors: {
      answer: one('roster', 'One provider of the roster', {
        preprocessors: preprocessors.filter(({ slug }: Answer) => slug === PROVIDER),
      }),
    },
    fetchProviders: {
      answer: one('roster', 'One provider of the chain', {
        fetch_providers: fetch_providers.filter(({ name }: Answer) => name === 'firecrawl'),
      }),
    },
    probe: {
      request: {
        ...one('search', 'One search', probe.body),
        ...one('fetch', 'One page', { operation: 'fetch', url: 'https://example.com/' }),
      },
      answer: {
        ...one('works', 'It works', works),
        ...one('refused', 'Its key is refused', refused),
      },
      dryRun: await dryRun('probe', PRICE, probe),
    },
    ...(await watches(service)),
  };
}

async function watches(service: Service): Promise<Recorded> {
  const { answered, answer, dryRun } = formsOf(service);
  const watch = { name: QUERY, interval_minutes: 60, search: SEARCH };
  const made = await answered('createWatch', { body: watch });
  const params = { watch_id: made.id };
  const ran = await answered('runWatch', { params });
  const read = await answered('readWatch', { params });
  const pause = { state: 'paused' };
  return {
    createWatch: {
      request: {
        ...one('search', 'A search each hour', watch),
        ...one('page', 'A page four times a day', {
          interval_minutes: 360,
          fetch: { urls: [PAGE] },
        }),
      },
      answer: one('example', 'It has not run yet', made),
      dryRun: await dryRun('createWatch', 'What each run would cost, and a day of them', {
        body: watch,
      }),
    },
    listWatches: { answer: await answer('listWatches', 'example', 'One watch') },
    readWatch: { answer: one('example', 'A watch', read) },
    changeWatch: {
      request: {
        ...one('pause', 'Pause it', pause),
        ...one('interval', 'Run it once a day', { interval_minutes: 1_440 }),
      },
      answer: await answer('changeWatch', 'example', 'It does not run', { params, body: pause }),
    },
    runWatch: {
      answer: one('example', 'It ran', ran),
      dryRun: await dryRun('runWatch', PRICE, { params }),
    },
  };
}

/** The operator API. */
async function admin(service: Service): Promise<Recorded> {
  const { answered, answer } = formsOf(service);
  const project = { name: 'support bot', rate_limit: 600, monthly_budget_usd: 50 };
  const made = await answered('createProject', { body: project });
  const ofProject = { params: { project_id: made.id } };
  const budget = { monthly_budget_usd: 100 };
  const key = {
    project_id: made.id,
    name: 'production',
    permissions: ['search', 'fetch'],
    expires_at: '2030-01-01T00:00:00.000Z',
    rate_limit: 120,
    monthly_budget_usd: 20,
    allowed_providers: [PROVIDER, 'brave'],
    profile: { search: { tier: 'minimalist' } },
  };
  const issued = await answered('createKey', { body: key });
  await answered('createKey', { body: { ...key, name: 'staging' } });
  const ofKey = { params: { key_id: issued.id } };
  const read = await answered('readKey', ofKey);
  const disable = { disabled: true };
  const hour = { grace: '1h' };
  const keys = { project_id: made.id, limit: '1' };
  return {
    listProjects: {
      answer: await answer('listProjects', 'example', 'One project', {
        query: { name: project.name },
      }),
    },
    createProject: {
      request: one('limited', 'With limits', project),
      answer: one('example', 'A project', made),
    },
    readProject: { answer: await answer('readProject', 'example', 'A project', ofProject) },
    changeProject: {
      request: one('budget', 'Another budget', budget),
      answer: await answer('changeProject', 'example', 'A project', { ...ofProject, body: budget }),
    },
    listKeys: {
      answer: await answer('listKeys', 'example', 'One key, and there are more', { query: keys }),
    },
    createKey: {
      request: one('narrow', 'Two providers, a budget and an end', key),
      answer: one('example', 'The key with its secret', issued),
    },
    readKey: { answer: one('example', 'A key', read) },
    rotateKey: {
      request: one('hour', 'The old key ends in an hour', hour),
      answer: await answer('rotateKey', 'example', 'The new key', { ...ofKey, body: hour }),
    },
    changeKey: {
      request: one('disable', 'Disable it', disable),
      answer: await answer('changeKey', 'example', 'The key as it is now', {
        ...ofKey,
        body: disable,
      }),
    },
  };
}
