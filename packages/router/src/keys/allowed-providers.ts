import type { TrainingUse, TypedErrorCode, Warning } from '@trawl/contract';
import type { Deployment } from '../deployment/deployment.ts';
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
  /** What the providers of this deployment do with what is sent, by slug. */
  readonly training: ReadonlyMap<string, TrainingUse>;
}

export const ALL_PROVIDERS: AllowedProviders = {
  only: null,
  noTraining: false,
  training: new Map(),
};

export const allowedProvidersOf = (
  { allowedProviders, noTraining }: Pick<KeySettings, 'allowedProviders' | 'noTraining'>,
  { training }: Pick<Deployment, 'training'>,
): AllowedProviders => ({ only: allowedProviders, noTraining, training });

const isUntrusted = ({ noTraining, training }: AllowedProviders, slug: string): boolean =>
  noTraining && training.get(slug) !== 'no';

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
  const { only, training } = allowed;
  return slugs
    .filter((slug) => isUntrusted(allowed, slug) && (only === null || only.includes(slug)))
    .map((slug) => ({
      code: 'provider_skipped',
      message: `${slug} was left out: the key allows no training, and ${TRAINING_TEXTS[training.get(slug) ?? 'unknown']}`,
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
  const names =
    allowedOf(allowed.only ?? [...allowed.training.keys()], allowed).join(', ') || 'none';
  const policy = allowed.noTraining ? ', since it allows no training' : '';
  return new RequestError(403, `${detail}; it may use: ${names}${policy}`, {
    typed: { code, ...(param === undefined ? {} : { param }) },
  });
}
