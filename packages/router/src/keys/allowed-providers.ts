import type { TypedErrorCode } from '@trawl/contract';
import { RequestError } from '../requests/request-error.ts';

/** Slugs of the only providers that a key may use; null = all. */
export type AllowedProviders = readonly string[] | null;

export const isAllowed = (allowed: AllowedProviders, slug: string): boolean =>
  allowed === null || allowed.includes(slug);

/** The providers of a default that a key may use. */
export const allowedOf = (slugs: readonly string[], allowed: AllowedProviders): readonly string[] =>
  slugs.filter((slug) => isAllowed(allowed, slug));

/** A request that names providers which its key may not use. `place` is the field that names them. */
export function notAllowed(
  place: string,
  slugs: readonly string[],
  allowed: AllowedProviders,
  param?: string,
): RequestError {
  return forbidden(`${place}: this API key may not use ${slugs.join(', ')}`, allowed, param);
}

/** A request that does not name providers, of which the key may use none that would run. */
export function noneAllowed(place: string, allowed: AllowedProviders, param?: string) {
  const detail = `${place}: this API key may use none of the providers that would run`;
  return forbidden(detail, allowed, param);
}

function forbidden(
  detail: string,
  allowed: AllowedProviders,
  param: string | undefined,
): RequestError {
  const code: TypedErrorCode = 'forbidden';
  return new RequestError(403, `${detail}; it may use: ${(allowed ?? []).join(', ')}`, {
    typed: { code, ...(param === undefined ? {} : { param }) },
  });
}
