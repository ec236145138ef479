import {
  type FilterName,
  type JsonObject,
  type ResultField,
  type RunErrorCode,
  writeJson,
} from '@trawl/contract';

/**
 * How a call carries the provider's key. The runner adds it; it is never part of a recorded
 * request.
 */
export type Authentication =
  | {
      readonly in: 'header';
      readonly name: string;
      readonly prefix?: string;
      /** The provider serves callers without a key too. */
      readonly optional?: true;
    }
  | { readonly in: 'query'; readonly name: string; readonly optional?: true }
  | { readonly in: 'none' };

/**
 * A header or query parameter of every call with secrets of the operator. The runner adds it; it is
 * never part of a recorded request, and overrides cannot set it.
 */
export interface SecretPart {
  readonly in: 'header' | 'query';
  readonly name: string;
  /** With the names of variables, such as `Bearer ${TOKEN}`. */
  readonly written: string;
  /** As sent. */
  readonly value: string;
  /** The names of the variables. */
  readonly variables: readonly string[];
  /** Their values, which are removed from what the provider answers. */
  readonly secrets: readonly string[];
}

/** Whether every call needs a key. */
export const needsCredential = (authentication: Authentication): boolean =>
  authentication.in !== 'none' && authentication.optional !== true;

/** One upstream call as data, without credential. `path` is appended to the provider's base URL. */
export interface HttpCall {
  readonly method: 'GET' | 'POST';
  /**
   * A name in front of the provider's host; under an operator's own base URL it is the first part
   * of the path.
   */
  readonly subdomain?: string;
  readonly path: `/${string}`;
  readonly query?: QueryParameters;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Query parameters; an array repeats its name. */
export type QueryParameters = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

/**
 * A failed answer as received: one with an error status, or a 2xx that `response` refuses; `body`
 * is parsed JSON, or text when it is not JSON.
 */
export interface FailedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * The vendor's meaning of a failure, where it differs from the general reading of HTTP statuses.
 */
export interface FailureReading {
  readonly code: RunErrorCode;
  readonly retryAfterMs?: number;
  /** Completes "<provider> …", in our words, where they say more than the code. */
  readonly happened?: string;
  /** What to do about it, instead of the remedy of the code. */
  readonly remedy?: string;
}

/**
 * A part of a call that some plans or releases of a vendor refuse, and without which the call still
 * works. After a refusal the runner sends the call once more without it, and leaves it out from
 * then on.
 */
export interface OptionalPart {
  readonly in: 'body' | 'query' | 'headers' | 'credential' | 'prefix';
  /** Name of the parameter; of a credential or the word before it, a word for messages. */
  readonly name: string;
  /** The value that is sent instead; absent = it is left out. */
  readonly instead?: string;
  /** The refusal is about this call alone, so later ones carry the part again. */
  readonly isOfCall?: true;
  /** Whether a failed answer refuses this part. */
  readonly isRefused: (answer: FailedAnswer) => boolean;
  /** The result field that is missing then, and why (completes "<field>: <provider> …"). */
  readonly gap?: { readonly field: ResultField; readonly reason: string };
  /** The filter that is not applied then, and why. With strict filters the part is not optional. */
  readonly filter?: { readonly name: FilterName; readonly reason: string };
}

const READ_AT_MOST = 10_000;

/** A 400 or 422 that names the parameter. */
export const refusesParameter =
  (name: string) =>
  ({ status, body }: FailedAnswer): boolean => {
    if (status !== 400 && status !== 422) return false;
    const words = typeof body === 'string' ? body : writeJson(body);
    return words.slice(0, READ_AT_MOST).includes(name);
  };
