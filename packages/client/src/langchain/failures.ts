import type { Failure } from '../contract/answers.ts';

/** Called with each run, page or row that gave no document. */
export type OnFailure = (failure: Failure) => void;

/** Not a single document: every run failed, or every page failed or lacked text. */
export class NoDocumentsError extends Error {
  override name = 'NoDocumentsError';
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    super(['no documents:', ...failures.map(failureText)].join('\n'));
    this.failures = failures;
  }
}

export const failureText = ({ provider, url, code, message }: Failure): string =>
  `${url ?? provider ?? 'the request'}: ${code}${message === '' ? '' : `: ${message}`}`;

interface Place {
  readonly provider: string | null;
  readonly url?: string | undefined;
}

/** The failure of a row or page without text, which cannot be a document. */
export function noText({ provider, url }: Place): Failure {
  const error = { code: 'no_text', message: 'it has no text' };
  return { provider, ...(url === undefined ? {} : { url }), ...error, error };
}

interface Outcome<Document> {
  readonly documents: Document[];
  readonly failures: readonly Failure[];
  /** Whether something answered, so that an empty list is a valid result. */
  readonly hasAnswered: boolean;
}

/**
 * Reports the failures and returns the documents. Failures without any answer are an error.
 *
 * @throws NoDocumentsError
 */
export function documentsOrFailure<Document>(
  { documents, failures, hasAnswered }: Outcome<Document>,
  onFailure: OnFailure = warn,
): Document[] {
  if (!hasAnswered && failures.length > 0) throw new NoDocumentsError(failures);
  for (const failure of failures) onFailure(failure);
  return documents;
}

/** The default, so that no failure goes unnoticed. */
const warn: OnFailure = (failure) => console.warn(`trawl: ${failureText(failure)}`);
