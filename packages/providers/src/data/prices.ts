import type { Rates } from '../declaration.ts';

/** List prices in US dollars, from each provider's public price page as of the version's day. */
export const PRICES: {
  readonly version: string;
  readonly providers: Readonly<Record<string, Rates>>;
} = {
  version: '2026-11-21',
  providers: {
    exa: {
      search: 0.007,
      search_lite: 0.004,
      search_instant: 0.004,
      search_deep: 0.012,
      'search_deep-reasoning': 0.015,
      result_above_10: 0.001,
      summary_page: 0.001,
    },
    brave: { search: 0.005 },
    tavily: { search: 0.008, search_advanced: 0.016 },
    parallel: { search: 0.005, search_turbo: 0.001, search_fast: 0.001, result_above_10: 0.001 },
    you: { search: 0.005, page_text: 0.001 },
    linkup: { search: 0.005, search_answer: 0.006, search_deep: 0.05, search_deep_answer: 0.055 },
    serpapi: { search: 0.015 },
    ceramic: { search: 0.00025 },
    seltz: { search: 0.005 },
    perplexity: { search: 0.005, search_fast: 0.001 },
    tinyfish: { search: 0 },
    searxng: { search: 0 },
  },
};
