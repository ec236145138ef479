export type { RecordedCall } from './call-log.ts';
export type { InjectOptions } from './fault-book.ts';
export { FAULT_NAMES, MalformedFault } from './faults.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';
export { type Site, type SiteOptions, type SiteRequest, startSite } from './site/site.ts';
export type { AcceptsKey } from './vendor.ts';
