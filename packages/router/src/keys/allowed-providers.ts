import type { TypedErrorCode, Warning } from '@trawl/contract';
import { PROVIDERS } from '@trawl/providers';
import { RequestError } from '../requests/request-error.ts';
import type { KeySettings } from './records.ts';

/** Which providers a key may use. */
export interface AllowedProviders {
  /** Slugs of the only ones; null = all. */
  readonly only: readonly string[] | null;
  /**
   * Whether it may use none whose vendor trains models on what is sent, or for which that is not
   * known.
   */
  readonly noTraining: boolean;
}

export const ALL_PROVIDERS: AllowedProviders = { only: null, noTraining: false };

export const allowedProvidersOf = ({
  allowedProviders,
  noTraining,
}: Pick<KeySettings, 'allowedProviders' | 'noTraining'>): AllowedProviders => ({
  only: allowedProviders,
  noTraining,
});

const TRAINING = new Map(PROVIDERS.map(({ slug, dataUse }) => [slug, dataUse.training]));

const isUntrusted = ({ noTraining }: AllowedProviders, slug: string): boolean =>
  noTraining && TRAINING.get(slug) !== 'no';

export const isAllowed = (allowed: AllowedProviders, slug: string): boolean =>
  (allowed.only === null || allowed.only.includes(slug)) && !isUntrusted(allowed, slug);

/** The providers of a default that a key may use. */
export const allowedOf = (slugs: readonly string[], allowed: AllowedProviders): readonly string[] =>
  slugs.filter((slug) => isAllowed(allowed, slug));

/**
 * Says which providers of a default a key that allows no training leaves out; those that it may not
 * use anyway are not named.
 */
export function trainingWarnings(
  slugs: readonly string[],
  allowed: AllowedProviders,
): readonly Warning[] {
  const { only } = allowed;
  return slugs
    .filter((slug) => isUntrusted(allowed, slug) && (only === null || only.includes(slug)))
    .map((slug) => ({
      code: 'provider_skipped',
      message: `${slug} was left out: the key allows no training, and ${TRAINING_TEXTS[TRAINING.get(slug) ?? 'unknown']}`,
    }));
}

const TRAINING_TEXTS = {
  yes: 'its vendor trains models on what is sent',
  opt_out: 'its vendor trains models on what is sent unless the account switches it off',
  unknown: 'it is not known whether its vendor trains models on what is sent',
  no: 'its vendor trains no models',
} as const;

/**
 * A request that names providers which its key may not use. `place` is the field that names them.
 */
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
  const names = allowedOf(allowed.only ?? [...TRAINING.keys()], allowed).join(', ') || 'none';
  const policy = allowed.noTraining ? ', since it allows no training' : '';
  return new RequestError(403, `${detail}; it may use: ${names}${policy}`, {
    typed: { code, ...(param === undefined ? {} : { param }) },
  });
}
