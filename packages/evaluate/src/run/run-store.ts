import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { indexRows, type RowIndex } from '../measure/answer-steps.ts';
import { callKey, type RunHead, type RunRow, readRunFile } from '../measure/run-rows.ts';
import { wrongUse } from './chosen-set.ts';

/** A run in its file: each row is on disk before the next call begins. */
export interface RunStore {
  readonly path: string;
  readonly head: RunHead;
  readonly index: RowIndex;
  add(row: RunRow): void;
}

/** What has to be the same for a run to go on. */
type Fixed = Pick<RunHead, 'server' | 'set' | 'k' | 'tier'>;

/**
 * Opens a run to go on with it. A line that was being written when the process ended is cut off.
 * @returns undefined = there is no such file
 * @throws CommandError where the file is something else, or was made in another way
 */
export function openRun(path: string, fixed: Fixed): RunStore | undefined {
  if (!existsSync(path)) return undefined;
  const { head, rows, wholeLength, text } = readRun(path);
  const [difference] = differences(head, fixed);
  if (difference !== undefined) {
    throw wrongUse(`${path} is a run with another ${difference}`, 'name another file with --run');
  }
  const whole = Buffer.byteLength(text.slice(0, wholeLength));
  if (wholeLength < text.length) truncateSync(path, whole);
  return storeOf(path, head, indexRows(rows));
}

export function readRun(path: string) {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrongUse(`${path} cannot be read (${code})`);
  }
  try {
    return { ...readRunFile(text), text };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw wrongUse(`${path}: ${reason}`, 'name another file with --run');
  }
}

function differences(head: RunHead, fixed: Fixed): readonly string[] {
  const { server, set, k, tier } = fixed;
  return [
    ...(head.set.sha256 === set.sha256 ? [] : [`set: ${head.set.name}, ${head.set.sha256}`]),
    ...(head.k === k ? [] : [`--k: ${head.k}`]),
    ...(head.tier === tier ? [] : [`--tier: ${head.tier}`]),
    ...(head.server === server ? [] : [`server: ${head.server}`]),
  ];
}

/** @throws CommandError where the file cannot be written, before anything is paid */
export function beginRun(path: string, head: RunHead): RunStore {
  try {
    writeFileSync(path, `${JSON.stringify(head)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrongUse(`--run: ${path} cannot be written (${code})`);
  }
  return storeOf(path, head, new Map());
}

const storeOf = (path: string, head: RunHead, index: Map<string, RunRow>): RunStore => ({
  path,
  head,
  index,
  add: (row) => {
    appendFileSync(path, `${JSON.stringify(row)}\n`);
    index.set(callKey(row), row);
  },
});
