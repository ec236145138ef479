import type { SearchOptions } from '@trawl/contract';

/** The search of a probe: nothing that costs extra, and something that every provider finds. */
export const PROBE_QUERY = 'tidal power';
export const PROBE_SEARCH: SearchOptions = { tier: 'minimalist', num_results: 1 };

/** The page of a probe, unless the caller names one. */
export const PROBE_PAGE = 'https://example.com/';
