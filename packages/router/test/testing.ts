/** What tests of other packages need of this one, and nothing else does. */

export { estimateTokens } from '../src/context/tokens.ts';
export type { FetchedPage } from '../src/fetch/normalize.ts';
export { fetchPages } from '../src/fetch/pages.ts';
export { repeatsOfOneServer } from '../src/interaction/repeat-claims.ts';
