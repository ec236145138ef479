/** Builds the package that is published. */
export function build(options: { readonly outdir: string }): Promise<string>;
