import type { RouteExamples } from './example.ts';
import { ID } from './ids.ts';

const closed = { state: 'closed', cause: null, retry_after_ms: null };

export const PROBE: RouteExamples = {
  request: {
    search: { summary: 'One search', value: { operation: 'search' } },
    fetch: {
      summary: 'One page',
      value: { operation: 'fetch', url: 'https://example.com/' },
    },
  },
  answer: {
    works: {
      summary: 'It works',
      value: {
        provider: 'exa',
        operation: 'search',
        status: 'works',
        error: null,
        result_count: 1,
        latency_ms: 642,
        key_tail: '9fK2',
        calls: 1,
        cost_usd: 0.007,
        circuit: closed,
        session_id: ID.session,
        interaction_id: ID.interaction,
      },
    },
    refused: {
      summary: 'Its key is refused',
      value: {
        provider: 'exa',
        operation: 'search',
        status: 'failed',
        error: {
          code: 'invalid_credential',
          message: 'exa refused its API key (HTTP 401): check its API key in the server settings',
          http_status: 401,
          retryable: false,
        },
        result_count: null,
        latency_ms: 118,
        key_tail: '9fK2',
        calls: 1,
        cost_usd: null,
        circuit: { state: 'open', cause: 'invalid_credential', retry_after_ms: 30_000 },
        session_id: ID.session,
        interaction_id: ID.interaction,
      },
    },
  },
  dryRun: {
    price: {
      summary: 'What it would cost',
      value: {
        dry_run: true,
        calls: [{ provider: 'exa', batch_index: 0, cost_usd: 0.007, cost_kind: 'known' }],
        total_usd: 0.007,
      },
    },
  },
};
