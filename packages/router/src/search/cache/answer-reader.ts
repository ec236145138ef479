import type { JsonText } from '@trawl/base';
import type { SearchRun } from '@trawl/contract';
import type { AnswerFacts } from '../../interaction/records.ts';

/** The newest recorded run of a fingerprint. */
export interface RecordedAnswer extends Omit<AnswerFacts, 'fingerprint'> {
  readonly interactionId: string;
  /** null = it is older than what was wanted. */
  readonly text: JsonText<SearchRun> | null;
}

/** Reads recorded runs that may answer others. */
export interface AnswerReader {
  /**
   * The newest answer of each fingerprint that has one in the project.
   * @param notBefore only answers of this time and later come with their text
   */
  newestAnswers(
    projectId: string,
    fingerprints: readonly string[],
    notBefore: string,
  ): Promise<ReadonlyMap<string, RecordedAnswer>>;
}
