import type { ResultField } from '@trawl/contract';
import type { FailedAnswer } from './declaration.ts';

/**
 * A part of a call that some plans or releases of a vendor refuse, and without which the call still serves. After a
 * refusal the runner sends the call once more without it, and leaves it out from then on.
 */
export interface OptionalPart {
  readonly in: 'body' | 'query' | 'credential';
  /** Name of the parameter; of a credential, a word for messages. */
  readonly name: string;
  /** Whether a failed answer refuses this part. */
  readonly isRefused: (answer: FailedAnswer) => boolean;
  /** The result field that suffers, and how (completes "<field>: <provider> …"). */
  readonly gap?: { readonly field: ResultField; readonly reason: string };
}

const READ_AT_MOST = 10_000;

/** A 400 or 422 that names the parameter. */
export const refusesParameter =
  (name: string) =>
  ({ status, body }: FailedAnswer): boolean => {
    if (status !== 400 && status !== 422) return false;
    const words = typeof body === 'string' ? body : JSON.stringify(body);
    return words.slice(0, READ_AT_MOST).includes(name);
  };
