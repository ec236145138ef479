import { brightdataFetch } from './fetch/brightdata.ts';
import { directFetch } from './fetch/direct.ts';
import { exaFetch } from './fetch/exa.ts';
import { firecrawlFetch } from './fetch/firecrawl.ts';
import { jinaFetch } from './fetch/jina.ts';
import { linkupFetch } from './fetch/linkup.ts';
import { parallelFetch } from './fetch/parallel.ts';
import { tavilyFetch } from './fetch/tavily.ts';
import { tinyfishFetch } from './fetch/tinyfish.ts';
import { youFetch } from './fetch/you.ts';
import type { AnyFetchProvider } from './fetch-declaration.ts';

/** All fetch providers, in roster order. */
export const FETCH_PROVIDERS: readonly AnyFetchProvider[] = [
  tinyfishFetch,
  firecrawlFetch,
  parallelFetch,
  tavilyFetch,
  exaFetch,
  linkupFetch,
  youFetch,
  jinaFetch,
  brightdataFetch,
  directFetch,
];
