import { counted, PAGE_LIMITS } from '@trawl/extract/limits';
import type { PageVerdict } from '@trawl/providers';
import type { Diagnosis, ReaderFault } from '../pages/page-reading.ts';
import type { Extraction } from '../pages/types.ts';
import type { ExtractorOptions, JobEnd } from './extractor.ts';

type Limits = Pick<ExtractorOptions, 'pageTimeoutMs' | 'memoryMb'>;

/** The outcome of a job for a page that we read ourselves. */
export function extractionOf(end: JobEnd, httpStatus: number, limits: Limits): Extraction {
  if (end.kind === 'read') return end.reading;
  if (end.kind === 'cancelled') return end;
  if (end.kind === 'no_thread') {
    return fault('timeout', 'had no free thread to read the page within the time of the attempt');
  }
  const verdict = pageVerdict(end, httpStatus, limits);
  if (verdict) return { kind: 'verdict', verdict };
  return fault(
    'internal_error',
    end.kind === 'ended'
      ? 'failed on the page'
      : 'could not read the page because of an internal fault',
  );
}

/**
 * The outcome of a job for a page that another provider sent. `happened` is about that provider.
 */
export function diagnosisOf(end: JobEnd, httpStatus: number | null, limits: Limits): Diagnosis {
  if (end.kind === 'diagnosed' || end.kind === 'cancelled') return end;
  if (end.kind === 'no_thread') {
    return fault('timeout', 'sent the page, but no thread was free to check its text in time');
  }
  const verdict = pageVerdict(end, httpStatus, limits);
  if (verdict) return { kind: 'diagnosed', verdict, measure: null, quality: null, findings: [] };
  return fault('internal_error', 'sent the page, but checking its text failed here');
}

/** The verdict when the page itself is the reason that it was not read. */
function pageVerdict(
  end: JobEnd,
  httpStatus: number | null,
  { pageTimeoutMs, memoryMb = PAGE_LIMITS.memoryMb }: Limits,
): PageVerdict | undefined {
  switch (end.kind) {
    case 'too_slow': {
      const reason = `reading it took longer than ${counted(pageTimeoutMs)} ms, the limit PAGE_READ_TIMEOUT_MS`;
      return { code: 'timeout', reason, httpStatus };
    }
    case 'out_of_time':
      return {
        code: 'timeout',
        reason: 'the time of the attempt ran out while it was read',
        httpStatus,
      };
    case 'ended': {
      if (end.cause !== 'memory') return undefined;
      const reason = `reading it needs more than ${memoryMb} MB of memory`;
      return { code: 'too_large', reason, httpStatus };
    }
    default:
      return undefined;
  }
}

const fault = (code: ReaderFault['code'], happened: string): ReaderFault => ({
  kind: 'fault',
  code,
  happened,
});
