import { type Clock, isoTime, type ReportFault } from '@trawl/base';
import { type AnswerReader, type ReadAnswer, readAnswer } from './served-run.ts';

export interface RecordedAnswersOptions {
  readonly projectId: string;
  readonly maxAgeMs: number;
  readonly answers: AnswerReader;
  readonly clock: Clock;
  readonly reportFault: ReportFault;
}

/** The recorded answers that one request may be served. */
export interface RecordedAnswers {
  /** Reads those of these fingerprints whole. */
  readonly look: (fingerprints: readonly string[]) => Promise<void>;
  /** What the look found. */
  readonly found: (fingerprint: string) => ReadAnswer | undefined;
  /**
   * What another request recorded since then.
   * @param hasWaited for an equal run, so that what is new serves, whatever its time says: the
   * clocks of replicas differ
   */
  readonly since: (fingerprint: string, hasWaited: boolean) => Promise<ReadAnswer | undefined>;
}

export function recordedAnswers(options: RecordedAnswersOptions): RecordedAnswers {
  const { projectId, maxAgeMs, answers, clock, reportFault } = options;
  const hits = new Map<string, ReadAnswer>();
  /** The newest of the look, whatever its age. */
  const newestBefore = new Map<string, string>();
  /** Without recorded answers providers are asked, so a failing look never fails a search. */
  const read = async (fingerprints: readonly string[], notBefore: string) => {
    try {
      return await answers.newestAnswers(projectId, fingerprints, notBefore);
    } catch (cause) {
      reportFault(cause, 'recorded answers could not be read');
      return new Map<string, never>();
    }
  };
  const youngest = () => isoTime(clock.now() - maxAgeMs + 1);
  return {
    look: async (fingerprints) => {
      for (const [fingerprint, newest] of await read(fingerprints, youngest())) {
        newestBefore.set(fingerprint, newest.interactionId);
        const answer = readAnswer(newest);
        if (answer !== undefined) hits.set(fingerprint, answer);
      }
    },
    found: (fingerprint) => hits.get(fingerprint),
    since: async (fingerprint, hasWaited) => {
      const [newest] = (await read([fingerprint], hasWaited ? '' : youngest())).values();
      const answer = newest && readAnswer(newest);
      if (answer === undefined) return undefined;
      const isNew = answer.interactionId !== newestBefore.get(fingerprint);
      return isNew || answer.answeredAt >= youngest() ? answer : undefined;
    },
  };
}
