import { writeJson } from '@trawl/contract';
import type { HttpCall, QueryParameters } from '@trawl/providers';
import type { RequestPayload, UpstreamTarget } from './types.ts';

/** A call as sent, with its credential. Never logged, never recorded. */
export interface OutgoingRequest {
  readonly origin: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly method: HttpCall['method'];
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** The request as sent, or as it would be sent, without credential. */
export function requestPayload(target: UpstreamTarget, call: HttpCall): RequestPayload {
  const { origin, path } = locate(target, call, []);
  return {
    method: call.method,
    url: `${origin}${path}`,
    headers: openHeaders(target, call),
    body: call.body ?? null,
  };
}

/** @throws TypeError when the base URL is not a URL. */
export function outgoingRequest(target: UpstreamTarget, call: HttpCall): OutgoingRequest {
  const { authentication } = target;
  const [credential] = target.credentials;
  const { origin, path } = locate(target, call, secretPairs(target));
  const headers = openHeaders(target, call);
  for (const { in: place, name, value } of target.secretParts ?? []) {
    if (place === 'header') headers[name.toLowerCase()] = value;
  }
  if (authentication.in === 'header' && credential !== undefined) {
    headers[authentication.name.toLowerCase()] = `${authentication.prefix ?? ''}${credential}`;
  }
  const body = call.body === undefined ? null : writeJson(call.body);
  return { origin, path, method: call.method, headers, body };
}

type Pair = [name: string, value: string];

/** The query parameters that are never recorded. */
function secretPairs(target: UpstreamTarget): readonly Pair[] {
  const { authentication, secretParts = [] } = target;
  const [credential] = target.credentials;
  const pairs: Pair[] = [];
  for (const { in: place, name, value } of secretParts) {
    if (place === 'query') pairs.push([name, value]);
  }
  if (authentication.in === 'query' && credential !== undefined) {
    pairs.push([authentication.name, credential]);
  }
  return pairs;
}

/**
 * Through the URL parser: it encodes what an HTTP request line cannot carry and drops user info and
 * fragment.
 */
function locate(
  target: UpstreamTarget,
  call: HttpCall,
  secrets: readonly Pair[],
): Pick<OutgoingRequest, 'origin' | 'path'> {
  const { baseUrl: base, pathAtBaseUrl, isOwnAddress } = target;
  const { subdomain } = call;
  const baseUrl =
    base === null || subdomain === undefined ? base : withSubdomain(base, subdomain, isOwnAddress);
  const pairs = [...openPairs(target, call.query), ...secrets];
  const query = pairs.length === 0 ? '' : new URLSearchParams(pairs).toString();
  const calledPath = pathAtBaseUrl ?? call.path;
  const joint = query === '' ? '' : calledPath.includes('?') ? '&' : '?';
  if (baseUrl === null) return { origin: '', path: `${calledPath}${joint}${query}` };
  const { origin, pathname, search } = new URL(`${baseUrl}${calledPath}${joint}${query}`);
  return { origin, path: `${pathname}${search}` };
}

const withSubdomain = (base: string, subdomain: string, isOwn: boolean | undefined): string =>
  isOwn ? `${base}/${subdomain}` : base.replace('://', `://${subdomain}.`);

/** In the order of the declaration. Only we set the parameters of secrets. */
function openPairs(target: UpstreamTarget, query: QueryParameters | undefined): readonly Pair[] {
  const { authentication, secretParts = [] } = target;
  const secret = new Set<string>();
  for (const { in: place, name } of secretParts) if (place === 'query') secret.add(name);
  if (authentication.in === 'query') secret.add(authentication.name);
  const found: Pair[] = [];
  for (const [name, value] of Object.entries(query ?? {})) {
    if (secret.has(name)) continue;
    if (typeof value === 'object') for (const item of value) found.push([name, item]);
    else found.push([name, String(value)]);
  }
  return found;
}

/** All headers except the credential's. Names in lower case, a call's own ones win. */
function openHeaders(
  { authentication, userAgent }: UpstreamTarget,
  call: HttpCall,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': userAgent ?? 'trawl',
  };
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  const keyName = authentication.in === 'header' ? authentication.name.toLowerCase() : undefined;
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    const lowerCased = name.toLowerCase();
    if (lowerCased !== keyName) headers[lowerCased] = value;
  }
  return headers;
}
