import { isHostOf, type TypedErrorCode } from '@trawl/contract';
import { RequestError } from '../requests/request-error.ts';

/** The only hosts whose pages a key may fetch, with their subdomains; null = all. */
export type AllowedDomains = readonly string[] | null;

/**
 * The pages in their places of the request. @throws RequestError 403 for the first that the key may
 * not fetch
 */
export function checkDomains(
  pages: readonly (readonly [place: string, url: URL])[],
  allowed: AllowedDomains,
): void {
  if (allowed === null) return;
  const refused = pages.find(([, { hostname }]) => !isHostOf(hostname, allowed));
  if (refused === undefined) return;
  const [param, { hostname }] = refused;
  const code: TypedErrorCode = 'forbidden';
  const detail = `${param}: this API key may not fetch pages of ${hostname}; it may fetch those of: ${allowed.join(', ')}`;
  throw new RequestError(403, detail, { typed: { code, param } });
}
