import type { UpstreamTarget } from './types.ts';

/** Keys of providers that were replaced while the server runs. */
export interface ProviderKeys {
  /**
   * From now on all operations of the provider use these keys; empty = it has none. Returns the
   * keys that came or went since they were replaced last; none for the first time.
   */
  replace(slug: string, credentials: readonly string[]): readonly string[];
  /** The target with the keys that its provider has now. */
  current(target: UpstreamTarget): UpstreamTarget;
  /** Whether the provider still has the key that a call to this target is sent with. */
  isCurrent(target: UpstreamTarget): boolean;
}

export function createProviderKeys(): ProviderKeys {
  const replaced = new Map<string, readonly string[]>();
  return {
    replace: (slug, credentials) => {
      const before = replaced.get(slug);
      replaced.set(slug, credentials);
      if (before === undefined) return [];
      const gone = before.filter((key) => !credentials.includes(key));
      return [...gone, ...credentials.filter((key) => !before.includes(key))];
    },
    current: (target) => {
      const credentials = replaced.get(target.slug) ?? target.credentials;
      return credentials === target.credentials ? target : { ...target, credentials };
    },
    isCurrent: ({ slug, credentials: [credential] }) => {
      const present = replaced.get(slug);
      if (present === undefined) return true;
      return credential === undefined ? present.length === 0 : present.includes(credential);
    },
  };
}
