/** Builds the package that is published, and returns its folder. */
export function build(options?: { readonly outdir?: string }): Promise<string>;
