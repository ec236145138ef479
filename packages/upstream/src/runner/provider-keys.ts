import type { UpstreamTarget } from './types.ts';

/** Keys of providers that were replaced while the server runs. */
export interface ProviderKeys {
  /** From now on all operations of the provider use this key; undefined = it has none. */
  replace(slug: string, credential: string | undefined): void;
  /** The target with the key that its provider has now. */
  current(target: UpstreamTarget): UpstreamTarget;
  /** Whether the provider still has the key of this target. */
  isCurrent(target: UpstreamTarget): boolean;
}

export function createProviderKeys(): ProviderKeys {
  const replaced = new Map<string, string | undefined>();
  const isCurrent = ({ slug, credential }: UpstreamTarget) =>
    !replaced.has(slug) || replaced.get(slug) === credential;
  return {
    replace: (slug, credential) => {
      replaced.set(slug, credential);
    },
    current: (target) =>
      isCurrent(target) ? target : { ...target, credential: replaced.get(target.slug) },
    isCurrent,
  };
}
