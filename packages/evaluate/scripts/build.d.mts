import type { Built } from '../../../scripts/build.mjs';

/** Builds the package that is published, from what a build of the bundle returned. */
export function build(options: { readonly outdir: string; readonly built: Built }): string;
