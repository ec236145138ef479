import type { Rates } from '../declaration.ts';

/** Public list prices in US dollars; sources stand in each provider's page of the docs. */
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
  },
};
