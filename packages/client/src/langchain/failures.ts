import type { Failure } from '../answers.ts';

/** Told each run, page or row that gave no document. */
export type OnFailure = (failure: Failure) => void;

/** Nothing could be had: every run or page failed, or came without a text. */
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

/**
 * Documents, once their failures were told. An answer without rows is an empty list; one of failures alone is an error.
 *
 * @throws NoDocumentsError
 */
export function documentsOrFailure<Document>(
  documents: Document[],
  failures: readonly Failure[],
  onFailure: OnFailure = warn,
): Document[] {
  if (documents.length === 0 && failures.length > 0) throw new NoDocumentsError(failures);
  for (const failure of failures) onFailure(failure);
  return documents;
}

/** Nobody asked to be told, and yet nothing is lost without a word. */
const warn: OnFailure = (failure) => console.warn(`trawl: ${failureText(failure)}`);
