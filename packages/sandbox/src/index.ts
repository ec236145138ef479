import { type Sandbox, type SandboxOptions, serveVendors } from './server/sandbox.ts';
import { arxiv } from './vendors/arxiv/vendor.ts';
import { bocha } from './vendors/bocha/vendor.ts';
import { brave } from './vendors/brave/vendor.ts';
import { createBrightdata } from './vendors/brightdata/vendor.ts';
import { ceramic } from './vendors/ceramic/vendor.ts';
import { crossref } from './vendors/crossref/vendor.ts';
import { deepseek } from './vendors/deepseek/vendor.ts';
import { edgar } from './vendors/edgar/vendor.ts';
import { europepmc } from './vendors/europepmc/vendor.ts';
import { exa } from './vendors/exa/vendor.ts';
import { firecrawl } from './vendors/firecrawl/vendor.ts';
import { gleif } from './vendors/gleif/vendor.ts';
import { hackernews } from './vendors/hackernews/vendor.ts';
import { jina } from './vendors/jina/vendor.ts';
import { kagi } from './vendors/kagi/vendor.ts';
import { keenable } from './vendors/keenable/vendor.ts';
import { linkup } from './vendors/linkup/vendor.ts';
import { mojeek } from './vendors/mojeek/vendor.ts';
import { orcid } from './vendors/orcid/vendor.ts';
import { parallel } from './vendors/parallel/vendor.ts';
import { perplexity } from './vendors/perplexity/vendor.ts';
import { searchapi } from './vendors/searchapi/vendor.ts';
import { searxng } from './vendors/searxng/vendor.ts';
import { seltz } from './vendors/seltz/vendor.ts';
import { serpapi } from './vendors/serpapi/vendor.ts';
import { serper } from './vendors/serper/vendor.ts';
import { stackexchange } from './vendors/stackexchange/vendor.ts';
import { tavily } from './vendors/tavily/vendor.ts';
import { tinyfish } from './vendors/tinyfish/vendor.ts';
import { valyu } from './vendors/valyu/vendor.ts';
import { wikidata } from './vendors/wikidata/vendor.ts';
import { wikipedia } from './vendors/wikipedia/vendor.ts';
import { you } from './vendors/you/vendor.ts';

export { FAULT_NAMES, MalformedFault } from './faults/fault.ts';
export type { InjectOptions } from './faults/fault-book.ts';
export type { RecordedCall } from './server/call-log.ts';
export type { Sandbox, SandboxOptions } from './server/sandbox.ts';
export type { AcceptsKey } from './shell/vendor.ts';
export { type Site, type SiteOptions, type SiteRequest, startSite } from './site/site.ts';

const VENDORS = [
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
  serper,
  searchapi,
  valyu,
  kagi,
  mojeek,
  bocha,
  deepseek,
  searxng,
  firecrawl,
  jina,
  wikipedia,
  keenable,
  orcid,
  edgar,
  gleif,
  wikidata,
  stackexchange,
  hackernews,
  europepmc,
  arxiv,
  crossref,
];

/** Starts a fake server for every vendor on one loopback port. */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return serveVendors([...VENDORS, createBrightdata()], options);
}
