/** What is published on npm. */
export type PackageName = 'trawl' | '@trawl/client' | '@trawl/evaluate';

export interface Packed {
  readonly name: PackageName;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  /** Paths inside. */
  readonly files: readonly string[];
}

/** Packs packages for npm into a folder, all of them when `names` is absent. */
export function packForNpm(
  folder: string,
  options?: { readonly names?: readonly PackageName[]; readonly isRelease?: boolean },
): Promise<readonly Packed[]>;
