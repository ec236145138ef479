import type { Metafile } from 'esbuild';

export interface Built {
  /** What was done, in one line. */
  readonly line: string;
  readonly metafile: Metafile;
  /** Entry sources that are not there yet. */
  readonly missing: readonly string[];
}
export function build(options?: { readonly root?: string }): Promise<Built>;
