/** Builds the package that is published, and gives the folder it stands in. */
export function build(options?: { readonly outdir?: string }): Promise<string>;
