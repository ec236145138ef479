/** Description of a search tool. `reader` is the name of the tool that reads pages. */
export const searchDescription = (reader: string): string =>
  [
    'Searches the web through several providers at once and returns one list (title, URL, summary): each page once, best first, with the providers that found it and its rank there (exa#2).',
    `Use it for current facts and for finding pages; to read a page whose URL is known, use ${reader}.`,
    'A provider that failed is marked FAILED: that is not "nothing found".',
  ].join(' ');

/** Description of a tool that reads pages. `finder` is the name of what finds pages. */
export const fetchDescription = (finder: string): string =>
  [
    'Reads whole web pages and documents by URL and returns their text as numbered sources.',
    `Use it when a URL is known, such as one from ${finder}; it does not search.`,
    'A page that could not be read is marked FAILED, with the reason.',
  ].join(' ');

/** Descriptions of the tools' arguments. */
export const ARGUMENTS = {
  query: 'What to search for.',
  queries: 'Several queries at once, instead of `query`.',
  include_domains: 'Only these sites, such as docs.python.org.',
  exclude_domains: 'Not these sites.',
  published_after: 'Published on this day or later: YYYY-MM-DD.',
  published_before: 'Published on this day or earlier.',
  country: 'Two letters: DE.',
  language: 'Two letters: de.',
  safe_search: 'Leave out adult content.',
  urls: 'The pages, each an absolute http or https URL.',
  offset: 'Skips this many characters of each page, to read on where one was cut.',
} as const;

/** The error for a search with both, or neither. */
export const QUERY_OR_QUERIES = 'Pass either query, or queries for several at once.';
