/**
 * How pages are searched: the index of the build and the search box of the browser must agree on
 * it.
 */
export const SEARCH_OPTIONS = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['url', 'page', 'heading', 'text'],
  searchOptions: {
    boost: { heading: 4, page: 3 },
    prefix: (term) => term.length > 2,
    combineWith: 'AND',
  },
};
