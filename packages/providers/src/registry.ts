import type { SearchProvider } from './declaration.ts';
import { brave } from './search/brave.ts';
import { ceramic } from './search/ceramic.ts';
import { exa } from './search/exa.ts';
import { linkup } from './search/linkup.ts';
import { parallel } from './search/parallel.ts';
import { perplexity } from './search/perplexity.ts';
import { searxng } from './search/searxng.ts';
import { seltz } from './search/seltz.ts';
import { serpapi } from './search/serpapi.ts';
import { tavily } from './search/tavily.ts';
import { tinyfish } from './search/tinyfish.ts';
import { you } from './search/you.ts';

/** All search providers, in roster order. */
export const SEARCH_PROVIDERS: readonly SearchProvider[] = [
  exa,
  brave,
  tavily,
  parallel,
  you,
  linkup,
  serpapi,
  ceramic,
  seltz,
  perplexity,
  tinyfish,
  searxng,
];
