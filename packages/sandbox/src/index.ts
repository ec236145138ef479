import { type Sandbox, type SandboxOptions, serveVendors } from './server/sandbox.ts';
import { brave } from './vendors/brave/vendor.ts';
import { createBrightdata } from './vendors/brightdata/vendor.ts';
import { ceramic } from './vendors/ceramic/vendor.ts';
import { exa } from './vendors/exa/vendor.ts';
import { firecrawl } from './vendors/firecrawl/vendor.ts';
import { jina } from './vendors/jina/vendor.ts';
import { linkup } from './vendors/linkup/vendor.ts';
import { parallel } from './vendors/parallel/vendor.ts';
import { perplexity } from './vendors/perplexity/vendor.ts';
import { searxng } from './vendors/searxng/vendor.ts';
import { seltz } from './vendors/seltz/vendor.ts';
import { serpapi } from './vendors/serpapi/vendor.ts';
import { tavily } from './vendors/tavily/vendor.ts';
import { tinyfish } from './vendors/tinyfish/vendor.ts';
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
  searxng,
  firecrawl,
  jina,
  wikipedia,
];

/** Starts a fake server for every vendor on one loopback port. */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return serveVendors([...VENDORS, createBrightdata()], options);
}
