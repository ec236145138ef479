import type { RouteExamples } from './example.ts';

export const USAGE: RouteExamples = {
  answer: {
    by_day_and_provider: {
      summary: 'By day and provider',
      value: {
        from: '2026-03-01T00:00:00.000Z',
        to: '2026-03-03T00:00:00.000Z',
        rows: [
          {
            day: '2026-03-02',
            provider: 'exa',
            calls: 3,
            unpriced_calls: 1,
            cost_usd: 0.014,
            cached_calls: 1,
            saved_usd: 0.007,
          },
        ],
      },
    },
  },
  csv: {
    table: {
      summary: 'By day and provider, as a table',
      value: 'day,provider,calls,unpriced_calls,cost_usd\r\n2026-03-02,exa,3,1,0.014\r\n',
    },
  },
};

export const PREPROCESSORS: RouteExamples = {
  answer: {
    roster: {
      summary: 'One provider of the roster',
      value: {
        preprocessors: [
          {
            slug: 'exa',
            name: 'Exa',
            active_by_default: true,
            configured: true,
            requires_key: true,
            max_results: 10,
            count_control: 'native',
            auto_routable: true,
            health: { state: 'well', since: '2026-03-01T00:00:00.000Z' },
            unsupported_fields: ['fetch_meta', 'answer', 'entities', 'related', 'verticals'],
            filters: {
              include_domains: 'native',
              exclude_domains: 'native',
              published_after: 'native',
              published_before: 'native',
              country: 'native',
              language: 'unsupported',
              safe_search: 'native',
            },
            description: 'Embedding-based web search with page text, highlights and summaries.',
            docs_url: 'https://exa.ai/docs/reference/search',
            data_use: {
              training: 'yes',
              retention: 'unknown',
              region: 'unknown',
              source: 'https://exa.ai/privacy-policy',
              checked: '2026-11-23',
              note: 'Enterprise agreements offer zero retention.',
            },
          },
        ],
      },
    },
  },
};

export const FETCH_PROVIDERS: RouteExamples = {
  answer: {
    roster: {
      summary: 'One provider of the chain',
      value: {
        fetch_providers: [
          {
            name: 'firecrawl',
            in_default_chain: true,
            chain_position: 2,
            requires_key: true,
            configured: true,
            pin_only: false,
            content_formats: ['markdown'],
            unsupported_fields: ['chunks', 'media', 'transcript', 'excerpt', 'subpages'],
            description:
              'Pages rendered in a browser, as markdown, HTML, links, images and a screenshot.',
            docs_url: 'https://docs.firecrawl.dev/api-reference/endpoint/scrape',
            data_use: {
              training: 'unknown',
              retention: 'unknown',
              region: 'unknown',
              source: 'https://docs.firecrawl.dev/security',
              checked: '2026-11-23',
              note: 'Zero retention of page contents is part of enterprise plans.',
            },
          },
        ],
      },
    },
  },
};

export const HEALTH: RouteExamples = {
  answer: { ok: { summary: 'Up', value: { status: 'ok' } } },
};

export const READINESS: RouteExamples = {
  ...HEALTH,
  unavailable: {
    stopping: {
      summary: 'Going down',
      value: { status: 'unavailable', detail: 'the server is stopping' },
    },
    store: {
      summary: 'The store does not answer',
      value: { status: 'unavailable', detail: 'the store does not answer' },
    },
  },
};

export const DOCUMENT: RouteExamples = {
  answer: {
    document: {
      summary: 'Its beginning',
      value: { openapi: '3.1.0', info: { title: 'trawl', version: '0.1.0' } },
    },
  },
};

export const NOTHING: RouteExamples = { answer: {} };
