const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9a-z-]+(?:\.[0-9a-z-]+)*))?(?:\+[0-9a-z.-]+)?$/i;
const LENGTH_MAX = 100;

type Version = readonly [core: readonly string[], prerelease: readonly string[]];

export const isVersion = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= LENGTH_MAX && VERSION.test(text);

/**
 * Whether `a` comes after `b` by the rules of semantic versioning 2.0.0, section 11; both are
 * versions.
 */
export function isNewer(a: string, b: string): boolean {
  const [coreA, prereleaseA] = partsOf(a);
  const [coreB, prereleaseB] = partsOf(b);
  const order = compareParts(coreA, coreB);
  if (order !== 0) return order > 0;
  // a version comes after its own prereleases
  if (prereleaseA.length === 0 || prereleaseB.length === 0) {
    return prereleaseA.length === 0 && prereleaseB.length > 0;
  }
  return compareParts(prereleaseA, prereleaseB) > 0;
}

function partsOf(text: string): Version {
  const [, major = '', minor = '', patch = '', prerelease] = VERSION.exec(text) ?? [];
  return [[major, minor, patch], prerelease?.split('.') ?? []];
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((part, index) => part !== b[index]);
  if (differing < 0) return a.length - b.length;
  const [partA = '', partB] = [a[differing], b[differing]];
  if (partB === undefined) return 1;
  const [numericA, numericB] = [/^\d+$/.test(partA), /^\d+$/.test(partB)];
  if (numericA && numericB) return Number(partA) - Number(partB);
  // numbers come before words
  if (numericA !== numericB) return numericA ? -1 : 1;
  return partA < partB ? -1 : 1;
}
