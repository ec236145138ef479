import type { Vendor } from './vendor.ts';
import { brave } from './vendors/brave.ts';
import { ceramic } from './vendors/ceramic.ts';
import { exa } from './vendors/exa.ts';
import { linkup } from './vendors/linkup.ts';
import { parallel } from './vendors/parallel.ts';
import { perplexity } from './vendors/perplexity.ts';
import { searxng } from './vendors/searxng.ts';
import { seltz } from './vendors/seltz.ts';
import { serpapi } from './vendors/serpapi.ts';
import { tavily } from './vendors/tavily.ts';
import { tinyfish } from './vendors/tinyfish.ts';
import { you } from './vendors/you.ts';

/** Every vendor the sandbox speaks for; its slug is the first path segment. */
export const VENDORS: readonly Vendor[] = [
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
