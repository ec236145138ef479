import type { RouteExamples } from './example.ts';
import { ID, PROVIDER, TIME } from './ids.ts';
import { QUERY } from './search.ts';

const URL = 'https://marine-energy.example.com/news/second-turbine';
const SEARCH = { user_input: { query: QUERY }, search: { providers: { include: [PROVIDER] } } };
const FETCH = { urls: ['https://marine-energy.example.com/news'] };

const WATCH = {
  id: ID.watch,
  name: 'tidal power',
  state: 'active',
  stop_reason: null,
  key_id: ID.key,
  session_id: ID.session,
  interval_minutes: 60,
  search: SEARCH,
  fetch: null,
  created_at: TIME.began,
  next_run_at: '2026-03-02T10:14:07.872Z',
  last_run_at: TIME.began,
  last_status: 'succeeded',
  last_error: null,
  last_interaction_id: ID.interaction,
  failures: 0,
  news_count: 0,
};

export const ONE_WATCH: RouteExamples = {
  answer: { example: { summary: 'A watch', value: WATCH } },
};

const PRICE = {
  dry_run: true,
  calls: [{ provider: PROVIDER, batch_index: 0, cost_usd: 0.007, cost_kind: 'known' }],
  total_usd: 0.007,
};

export const CREATE_WATCH: RouteExamples = {
  request: {
    search: {
      summary: 'A search each hour',
      value: { name: WATCH.name, interval_minutes: 60, search: SEARCH },
    },
    page: {
      summary: 'A page four times a day',
      value: { interval_minutes: 360, fetch: FETCH },
    },
  },
  answer: {
    example: {
      summary: 'It has not run yet',
      value: {
        ...WATCH,
        next_run_at: TIME.began,
        last_run_at: null,
        last_status: null,
        last_interaction_id: null,
      },
    },
  },
  dryRun: {
    price: {
      summary: 'What each run would cost, and a day of them',
      value: { ...PRICE, runs_per_day: 24, usd_per_day: 0.168 },
    },
  },
};

export const RUN_WATCH: RouteExamples = {
  answer: {
    example: {
      summary: 'It ran',
      value: { watch_id: ID.watch, interaction_id: ID.interaction },
    },
  },
  dryRun: { price: { summary: 'What it would cost', value: PRICE } },
};

export const CHANGE_WATCH: RouteExamples = {
  request: {
    pause: { summary: 'Pause it', value: { state: 'paused' } },
    interval: { summary: 'Run it once a day', value: { interval_minutes: 1_440 } },
  },
  answer: {
    example: {
      summary: 'It does not run',
      value: { ...WATCH, state: 'paused', next_run_at: null },
    },
  },
};

export const LIST_WATCHES: RouteExamples = {
  answer: { example: { summary: 'One watch', value: { watches: [WATCH] } } },
};

export const NEWS: RouteExamples = {
  answer: {
    example: {
      summary: 'A new result, and there is more',
      value: {
        watch_id: ID.watch,
        news: [
          {
            sequence: 1,
            kind: 'result',
            url: URL,
            title: 'A second turbine for the bay',
            provider: PROVIDER,
            batch_index: 0,
            content_sha256: null,
            interaction_id: ID.interaction,
            first_seen_at: TIME.ended,
          },
        ],
        next_after: '1',
      },
    },
  },
};
