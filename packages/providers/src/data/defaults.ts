/** The search providers that run when a request and the operator name none. */
export const DEFAULT_SEARCH_PROVIDERS: readonly string[] = ['exa', 'brave'];
