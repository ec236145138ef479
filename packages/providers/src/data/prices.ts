import type { Rates } from '../declaration.ts';

/** A price list: US dollars by provider and item. */
export interface Prices {
  readonly version: string;
  readonly providers: Readonly<Record<string, Rates>>;
}

/** List prices in US dollars, from each provider's public price page as of the version's day. */
export const PRICES: Prices = {
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
      fetch_page: 0.001,
      fetch_highlights: 0.001,
      fetch_summary: 0.001,
    },
    brave: { search: 0.005 },
    tavily: { search: 0.008, search_advanced: 0.016, fetch_page: 0.0016 },
    parallel: {
      search: 0.005,
      search_turbo: 0.001,
      search_fast: 0.001,
      result_above_10: 0.001,
      fetch_page: 0.001,
    },
    you: { search: 0.005, page_text: 0.001, fetch_page: 0.001 },
    linkup: {
      search: 0.005,
      search_answer: 0.006,
      search_deep: 0.05,
      search_deep_answer: 0.055,
      fetch_page: 0.005,
    },
    serpapi: { search: 0.015 },
    ceramic: { search: 0.00025 },
    seltz: { search: 0.005 },
    perplexity: { search: 0.005, search_fast: 0.001 },
    tinyfish: { search: 0, fetch_page: 0 },
    searxng: { search: 0 },
    // free without a key; what tokens cost with one is not public, so put yours into PRICES_FILE
    jina: { fetch_million_tokens: 0 },
    brightdata: { fetch_record: 0.002 },
    // a placeholder: what a credit costs depends on the plan, so put yours into PRICES_FILE
    firecrawl: { fetch_usd_per_credit: 0.001 },
  },
};
