/** The search providers that run when a request and the operator name none. */
export const DEFAULT_SEARCH_PROVIDERS: readonly string[] = ['exa', 'brave'];

/** The chain of a fetch when a request and the operator name none, in order. */
export const DEFAULT_FETCH_CHAIN: readonly string[] = [
  'tinyfish',
  'firecrawl',
  'parallel',
  'tavily',
  'exa',
  'linkup',
  'you',
  'jina',
  'direct',
];
