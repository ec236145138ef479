import type { Failure } from '../contract/answers.ts';

/** Told each run, page or row that gave no document. */
export type OnFailure = (failure: Failure) => void;

/** Nothing could be had: every run failed, or every page failed or came without a text. */
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

/** A row or page that has nothing to read is no document. */
export function noText({ provider, url }: Place): Failure {
  const error = { code: 'no_text', message: 'it came without a text' };
  return { provider, ...(url === undefined ? {} : { url }), ...error, error };
}

interface Outcome<Document> {
  readonly documents: Document[];
  readonly failures: readonly Failure[];
  /** Whether something answered, so that no documents may be all that there is. */
  readonly hasAnswered: boolean;
}

/**
 * Documents, once the failures beside them were told. Failures alone are an error.
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

/** Nobody asked to be told, and yet nothing is lost without a word. */
const warn: OnFailure = (failure) => console.warn(`trawl: ${failureText(failure)}`);
