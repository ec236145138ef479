import { createHash } from 'node:crypto';
import { isJsonObject, parseJson, writeJson } from '@trawl/contract';

/** The kind of file, in its first line. A page that is built in another way needs another name. */
export const EVIDENCE_FORMAT = 'trawl-evidence/1';

/** What the first line is chained to. */
const NO_HASH = '0'.repeat(64);

/** A line: the hash over the hash of the line before and the text of its own record. */
const LINE = /^\{"sha256":"([0-9a-f]{64})","record":(.*)\}$/s;

/** Writes records as lines, each chained to the one before. */
export function createEvidence() {
  let hash = NO_HASH;
  return {
    /** @returns the line, without its end */
    line(record: unknown): string {
      const text = writeJson(record);
      hash = chained(hash, text);
      return `{"sha256":"${hash}","record":${text}}`;
    },
    hash: () => hash,
  };
}

const chained = (before: string, record: string): string =>
  createHash('sha256').update(`${before}\n${record}`, 'utf8').digest('hex');

/** A line in its parts; `record` is undefined where its text is not JSON. */
interface LineParts {
  readonly sha256: string;
  readonly text: string;
  readonly record: Readonly<Record<string, unknown>> | undefined;
}

/** @returns undefined = it is not a line of evidence */
export function readLine(line: string): LineParts | undefined {
  const [, sha256, text] = LINE.exec(line) ?? [];
  if (sha256 === undefined || text === undefined) return undefined;
  return { sha256, text, record: recordOf(text) };
}

/** What a check found: a whole file, or its first line that is wrong. */
export type EvidenceCheck =
  | {
      readonly isWhole: true;
      readonly sessionId: string;
      readonly interactions: number;
      /** Of the last line. */
      readonly sha256: string;
    }
  | { readonly isWhole: false; readonly line: number; readonly reason: string };

/** @param lines of the file, without their ends */
export function checkLines(lines: readonly string[]): EvidenceCheck {
  const wrong = (line: number, reason: string) => ({ isWhole: false, line, reason }) as const;
  let hash = NO_HASH;
  let sessionId = '';
  for (const [at, line] of lines.entries()) {
    const place = at + 1;
    const parts = readLine(line);
    if (!parts) return wrong(place, 'it is not a line of evidence');
    const { sha256, text, record } = parts;
    hash = chained(hash, text);
    if (hash !== sha256) return wrong(place, 'its text or the line before was changed');
    if (at === 0) {
      if (record?.format !== EVIDENCE_FORMAT) return wrong(place, `it is not ${EVIDENCE_FORMAT}`);
      sessionId = String(record.session_id);
    } else if (record?.kind === 'end') {
      if (record.interactions !== at - 1) return wrong(place, 'it counts other interactions');
      if (place < lines.length) return wrong(place + 1, 'it is behind the last line');
      return { isWhole: true, sessionId, interactions: at - 1, sha256: hash };
    } else if (record?.kind !== 'interaction') return wrong(place, 'it is not an interaction');
  }
  return wrong(lines.length + 1, 'the end is missing: the file was cut, or its export failed');
}

function recordOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const record = parseJson(text);
    return isJsonObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}
