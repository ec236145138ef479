import { createServer } from 'node:http';
import { FaultBook, type InjectOptions } from '../faults/fault-book.ts';
import type { AcceptsKey, VendorServer } from '../shell/vendor.ts';
import { close, listen } from '../util/listening.ts';
import { createCallLog, type RecordedCall } from './call-log.ts';
import { handle } from './handle.ts';

export interface SandboxOptions {
  /** 0 or undefined: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Replaces the rule that keys starting with `bad-` are unknown to the vendor. */
  readonly acceptsKey?: AcceptsKey;
  /** Called once per answered request with method, path and outcome; never with a key. */
  readonly log?: (line: string) => void;
  /** How many calls are kept; default 10,000. */
  readonly callsKept?: number;
  readonly now?: () => number;
}

export interface Sandbox {
  readonly url: string;
  /** The vendor's base URL, such as `http://127.0.0.1:4010/exa`. */
  baseUrl(vendor: string): string;
  readonly vendors: readonly string[];
  /**
   * The settings that point a server at a vendor: its address, a key, and what its account needs in
   * addition.
   */
  settings(vendor: string, key: string): Readonly<Record<string, string>>;
  /** Those of all vendors. */
  allSettings(keyOf: (vendor: string) => string): Readonly<Record<string, string>>;
  /** The last calls to any vendor, oldest first. */
  readonly calls: readonly RecordedCall[];
  clearCalls(): void;
  /**
   * Makes calls to `vendor` (or `*`) fail; `fault` is written as in a directive:
   * `status=503,latency=50`.
   */
  inject(vendor: string, fault: string, options?: InjectOptions): void;
  clearFaults(): void;
  /** Closes every connection, including hanging ones. May be called again. */
  stop(): Promise<void>;
}

/** Serves these vendors on one loopback port. */
export async function serveVendors(
  list: readonly VendorServer[],
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', log = () => {}, now = Date.now } = options;
  const vendors = new Map(list.map((vendor) => [vendor.slug, vendor]));
  const slugs = [...vendors.keys()];
  const calls = createCallLog(options.callsKept ?? 10_000);
  const faults = new FaultBook(slugs);
  const parts = { vendors, calls, faults, acceptsKey: options.acceptsKey, log, now };
  const server = createServer((request, response) => {
    void handle(parts, request, response);
  });
  server.keepAliveTimeout = 60_000;
  const url = await listen(server, port, host);
  let stopped: Promise<void> | undefined;

  const known = (vendor: string): VendorServer =>
    vendors.get(vendor) ??
    refuse(`no vendor "${vendor}" in the sandbox; there are ${slugs.join(', ')}`);
  const settings = (vendor: string, key: string) => ({
    [`${vendor.toUpperCase()}_BASE_URL`]: `${url}/${vendor}`,
    ...(known(vendor).hasOptionalKey ? {} : { [`${vendor.toUpperCase()}_API_KEY`]: key }),
    ...known(vendor).settings,
  });

  return {
    url,
    vendors: slugs,
    baseUrl: (vendor) => `${url}/${known(vendor).slug}`,
    settings,
    allSettings: (keyOf) =>
      Object.assign({}, ...slugs.map((vendor) => settings(vendor, keyOf(vendor)))),
    get calls() {
      return calls.all();
    },
    clearCalls: () => calls.clear(),
    inject: (vendor, fault, injectOptions) => faults.inject(vendor, fault, injectOptions),
    clearFaults: () => faults.clear(),
    stop() {
      stopped ??= close(server);
      return stopped;
    },
  };
}

function refuse(message: string): never {
  throw new Error(message);
}
