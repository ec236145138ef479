import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isVersion } from './version-order.ts';

/** What is kept between commands; times in milliseconds since 1970. */
export interface UpdateState {
  /** The newest version that a check has found. */
  readonly latest: string | null;
  readonly checkedAt: number;
  readonly toldAt: number;
}

/** A file that is missing or spoiled says nothing. */
export function readState(file: string): UpdateState {
  let kept: Readonly<Record<string, unknown>> = {};
  try {
    kept = Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // nothing is known
  }
  const { latest, checkedAt, toldAt } = kept;
  return {
    latest: isVersion(latest) ? latest : null,
    checkedAt: Number.isFinite(checkedAt) ? Number(checkedAt) : 0,
    toldAt: Number.isFinite(toldAt) ? Number(toldAt) : 0,
  };
}

/** At once or not at all: others read the file meanwhile. */
export function writeState(file: string, state: UpdateState): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(state)}\n`);
  renameSync(draft, file);
}
