/** Files that others may read while they are written. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

let drafts = 0;

/** Replaces a file in one step: a concurrent reader gets the old or the new content. */
export function writeAtomically(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  drafts += 1;
  const draft = `${path}.${process.pid}-${drafts}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
