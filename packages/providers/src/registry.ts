import type { SearchProvider } from './declaration.ts';
import { brave } from './search/brave.ts';
import { exa } from './search/exa.ts';

/** All search providers, in roster order. */
export const SEARCH_PROVIDERS: readonly SearchProvider[] = [exa, brave];
