type Files = Readonly<Record<string, string>>;

/** Where the version is named, in which form. `files`: texts by path. */
export function versionsIn(
  files: Files,
): readonly { readonly path: string; readonly version: string }[];
/** The texts that name another version, with this one. */
export function withVersion(files: Files, version: string): Files;
/** What the changelog says about a version; undefined when it has no section with a date. */
export function notesOf(changelog: string, version: string): string | undefined;
/** What stops a release, in sentences that say what to do. */
export function problemsOf(facts: {
  readonly files: Files;
  /** What `git status --porcelain` prints. */
  readonly status: string;
  /** The tags that exist. */
  readonly tags: readonly string[];
}): readonly string[];
