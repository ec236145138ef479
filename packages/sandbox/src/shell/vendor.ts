import type { FaultPlan } from '../faults/fault.ts';
import type { Incoming, VendorReply } from '../util/http.ts';

/** How the sandbox judges the received key, see `credentialOf`. */
export type Credential = 'missing' | 'refused' | 'exhausted' | 'accepted';

export interface VendorRequest extends Incoming {
  /** The vendor's slug. */
  readonly vendor: string;
  readonly key: string | undefined;
  readonly credential: Credential;
  readonly faults: FaultPlan;
  /** Hex digest of method, path, query string and body; ids are derived from it. */
  readonly fingerprint: string;
}

export interface HandledRoute {
  readonly method: string;
  /** Exact, or a prefix when it ends with `*`. */
  readonly path: string;
  /** Whether it is for this request, where another route has the same path; absent = it is. */
  takes?(request: VendorRequest): boolean;
  answer(request: VendorRequest): VendorReply;
}

/** One vendor's API as the server uses it; `defineVendor` makes it from a declaration. */
export interface VendorServer {
  readonly slug: string;
  /** Settings of a server that its account needs in addition to address and key. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** A server is not given a key of it. */
  readonly hasOptionalKey?: boolean | undefined;
  readKey(request: Incoming): string | undefined;
  /** The caller's own text (a query, a URL), which may hold fault directives. */
  readText(request: Incoming): string;
  readonly routes: readonly HandledRoute[];
  fail(request: VendorRequest, status: number): VendorReply;
}

/** Decides whether a key is known; replaces the `bad-` rule, no other. */
export type AcceptsKey = (vendor: string, key: string) => boolean;

/** `bad-…` is unknown to the vendor, and `quota-…` has no credit left. */
export function credentialOf(
  vendor: string,
  key: string | undefined,
  acceptsKey: AcceptsKey | undefined,
): Credential {
  if (key === undefined || key === '') return 'missing';
  const accepted = acceptsKey ? acceptsKey(vendor, key) : !key.startsWith('bad-');
  if (!accepted) return 'refused';
  return key.startsWith('quota-') ? 'exhausted' : 'accepted';
}

/** The message, which quotes the received key with the `echo-key` fault. */
export function withEchoedKey(request: VendorRequest, message: string): string {
  return request.faults.echoKey === true && request.key !== undefined
    ? `${message} (received key: ${request.key})`
    : message;
}

/** The vendor's answer, or the failure that a fault requests. */
export function answerOf(vendor: VendorServer, request: VendorRequest): VendorReply {
  const routes = vendor.routes.filter(({ path }) => matches(path, request.path));
  const route = routes.find(
    (one) => one.method === request.method && (one.takes?.(request) ?? true),
  );
  if (!route) return vendor.fail(request, routes.length > 0 ? 405 : 404);
  const reply = route.answer(request);
  const { status } = request.faults;
  // A request that the vendor refuses anyway stays refused: a fault must not hide an adapter's
  // mistake.
  return status === undefined || reply.status >= 400 ? reply : vendor.fail(request, status);
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
