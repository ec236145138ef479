/** Files that others may read while they are written. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

let drafts = 0;

/** Whoever reads meanwhile gets the old content or the new one. */
export function writeAtomically(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  drafts += 1;
  const draft = `${path}.${process.pid}-${drafts}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
