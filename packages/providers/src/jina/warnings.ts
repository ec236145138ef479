import type { Warning } from '@trawl/contract';
import { httpStatusOf, remark } from '../parsed/page.ts';

const TARGET_ERROR = /^Target URL returned error (\d{3})\b/;

/** The reader's remarks on a page. */
export interface ReaderRemarks {
  /** The target's status; it is only given for an error. */
  readonly httpStatus: number | null;
  readonly remarks: readonly Warning[];
}

/** The reader answers 200 even if the target failed. One line of its warnings says so. */
export function readWarnings(warning: unknown): ReaderRemarks {
  const lines = typeof warning === 'string' ? warning.split('\n') : [];
  const read = lines.map((line) => readLine(line.trim()));
  return {
    httpStatus: read.find(({ status }) => status !== null)?.status ?? null,
    remarks: read.flatMap(({ remarks }) => remarks),
  };
}

function readLine(line: string) {
  const [, status] = TARGET_ERROR.exec(line) ?? [];
  const code = status === undefined ? 'upstream_warning' : 'upstream_error';
  return { status: httpStatusOf(Number(status)), remarks: remark(code, 'jina', line) };
}
