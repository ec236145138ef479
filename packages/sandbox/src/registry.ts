import type { Vendor } from './vendor.ts';
import { brave } from './vendors/brave.ts';
import { createBrightdata } from './vendors/brightdata.ts';
import { ceramic } from './vendors/ceramic.ts';
import { exa } from './vendors/exa.ts';
import { firecrawl } from './vendors/firecrawl.ts';
import { jina } from './vendors/jina.ts';
import { linkup } from './vendors/linkup.ts';
import { parallel } from './vendors/parallel.ts';
import { perplexity } from './vendors/perplexity.ts';
import { searxng } from './vendors/searxng.ts';
import { seltz } from './vendors/seltz.ts';
import { serpapi } from './vendors/serpapi.ts';
import { tavily } from './vendors/tavily.ts';
import { tinyfish } from './vendors/tinyfish.ts';
import { you } from './vendors/you.ts';

/** Every vendor a sandbox speaks for; its slug is the first path segment. */
export function createVendors(): readonly Vendor[] {
  return [
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
    firecrawl,
    jina,
    createBrightdata(),
  ];
}
