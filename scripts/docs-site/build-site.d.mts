export interface BuiltSite {
  /** The files of this site in `files/`; others there belong to earlier builds. */
  readonly names: ReadonlySet<string>;
  /** Problems for readers, such as broken links, one sentence each. */
  readonly problems: readonly string[];
}
/** @param options `folder`: where the site goes */
export function buildSite(options: {
  readonly root: string;
  readonly folder: string;
}): Promise<BuiltSite>;
