import { createHash } from 'node:crypto';

/** The kind of file, in its first line. */
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
      const text = JSON.stringify(record);
      hash = chained(hash, text);
      return `{"sha256":"${hash}","record":${text}}`;
    },
    hash: () => hash,
  };
}

const chained = (before: string, record: string): string =>
  createHash('sha256').update(`${before}\n${record}`, 'utf8').digest('hex');

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
    const [, said, text = ''] = LINE.exec(line) ?? [];
    if (said === undefined) return wrong(place, 'it is not a line of evidence');
    hash = chained(hash, text);
    if (hash !== said) return wrong(place, 'its text or the line before was changed');
    const record = recordOf(text);
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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
