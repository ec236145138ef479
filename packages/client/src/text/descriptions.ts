/** What a search tool says of itself. `reader` is what the tool that reads pages is called there. */
export const searchDescription = (reader: string): string =>
  [
    'Searches the web through several providers at once and returns one list (title, URL, summary): each page once, best first, with the providers that found it.',
    `Use it for current facts and for finding pages; to read a page whose URL is known, use ${reader}.`,
    'A provider that failed is marked FAILED: that is not "nothing found".',
  ].join(' ');

/** What a tool that reads pages says of itself. `finder` is what finds pages there. */
export const fetchDescription = (finder: string): string =>
  [
    'Reads whole web pages and documents by URL and returns their text as numbered sources.',
    `Use it when a URL is known, such as one from ${finder}; it does not search.`,
    'A page that could not be read is marked FAILED, with the reason.',
  ].join(' ');

/** What the arguments of the tools say of themselves. */
export const ARGUMENTS = {
  query: 'What to search for.',
  queries: 'Several queries at once, in place of `query`.',
  urls: 'The pages, each an absolute http or https URL.',
  offset: 'Leaves out this many characters of each page, to read on where one was cut.',
} as const;

/** Of a search that has both, or neither. */
export const QUERY_OR_QUERIES = 'Pass either query, or queries for several at once.';
