import type { Built } from '../../../scripts/build.mjs';

/** Builds the package that is published, and returns its folder. */
export function build(options?: {
  readonly outdir?: string;
  /** For the registry: only such a package looks for newer versions there. */
  readonly isRelease?: boolean;
  /** What a build of the bundle returned; it is built when absent. */
  readonly built?: Built;
}): Promise<string>;
