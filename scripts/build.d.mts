import type { Metafile } from 'esbuild';

export interface Built {
  /** What was done, in one line. */
  readonly line: string;
  readonly metafile: Metafile;
  /** Entry sources that do not exist yet. */
  readonly missing: readonly string[];
  /** Files that were copied into `dist`, as paths from the root. */
  readonly assets: readonly string[];
  /** `line` has the reason. */
  readonly isDocsLeftOut: boolean;
  /** As above. */
  readonly isConsoleLeftOut: boolean;
}
export function build(options?: { readonly root?: string }): Promise<Built>;
/** Builds what changed. Returns a description in one line. */
export function buildOutdated(options?: { readonly root?: string }): Promise<string>;
/** Builds the console if it changed. `notes`: why it was left out. */
export function ensureConsole(
  root: string,
): Promise<{ readonly notes: readonly string[]; readonly isBuilt: boolean }>;
/**
 * A source with all that it imports, as one file. Libraries are inside or outside as in `dist/`.
 */
export function bundledFile(path: string, root?: string): Promise<Uint8Array>;
