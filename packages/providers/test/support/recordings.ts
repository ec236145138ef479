import { existsSync, readFileSync } from 'node:fs';

/**
 * Real answers, kept outside of the repository, so most clones do not have them. If set, the folder
 * must exist.
 */
const { RECORDED_ANSWERS } = process.env;
const FOLDER = RECORDED_ANSWERS ?? '../shared/recorded';

export const hasRecordings = RECORDED_ANSWERS !== undefined || existsSync(FOLDER);

/** The reason to skip, for a title; a run that requires all tests may skip optional ones. */
export const NO_RECORDINGS =
  '(skipped: optional: the recorded answers are not part of the repository; RECORDED_ANSWERS names their folder)';

/** The text of a recording, or of the index. */
export const readRecording = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8');

/** Each line of index.jsonl describes one file. */
export const readIndex = <Recording>(): readonly Recording[] =>
  readRecording('index.jsonl')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
