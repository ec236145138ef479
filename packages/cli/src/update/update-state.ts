import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isVersion } from './version-order.ts';

/** What is kept between commands; times in milliseconds since 1970. */
export interface UpdateState {
  /** The newest version that a check has found. */
  readonly latest: string | null;
  readonly checkedAt: number;
  readonly notifiedAt: number;
}

/** The state in the file; a missing or invalid file reads as empty. */
export function readState(file: string): UpdateState {
  let kept: Readonly<Record<string, unknown>> = {};
  try {
    kept = Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // missing or not JSON: nothing is known yet
  }
  const { latest, checkedAt, notifiedAt } = kept;
  return {
    latest: isVersion(latest) ? latest : null,
    checkedAt: Number.isFinite(checkedAt) ? Number(checkedAt) : 0,
    notifiedAt: Number.isFinite(notifiedAt) ? Number(notifiedAt) : 0,
  };
}

/** Replaces the file in one step, since other commands may be reading it. */
export function writeState(file: string, state: UpdateState): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state)}\n`);
  renameSync(draft, file);
}
