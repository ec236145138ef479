/** Builds the package that is published, and returns its folder. */
export function build(options?: {
  readonly outdir?: string;
  /** For the registry: only such a package looks for newer versions there. */
  readonly isRelease?: boolean;
}): Promise<string>;
