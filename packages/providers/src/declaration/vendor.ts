import type { PriceList } from '../values/price.ts';
import type { Authentication, FailedAnswer, FailureReading, OptionalPart } from './call.ts';

/** What is the same for a vendor's search and its fetch. */
export interface Vendor {
  readonly slug: string;
  readonly name: string;
  /** Scheme, host and any path prefix; null where each operator has their own, which must then be set. */
  readonly baseUrl: string | null;
  /** The path of its calls at `baseUrl`, where that is another than under an operator's own base URL. */
  readonly pathAtBaseUrl?: `/${string}`;
  readonly authentication: Authentication;
  /** Environment variables that may hold the key, strongest first; empty = needs none. */
  readonly credentialVariables: readonly string[];
  readonly prices: PriceList;
}

/** What a search and a fetch declare alike. */
export interface Operation {
  readonly description: string;
  readonly docsUrl: string;
  /** Where this operation has a host of its own. */
  readonly baseUrl?: string;
  /** Calls in progress at once. */
  readonly concurrency: number;
  /** Parts of its calls that a plan may refuse; a parameter that the caller set is not left out. */
  readonly optionalParts?: readonly OptionalPart[];
  /**
   * Statuses or bodies with a meaning of the vendor's own; undefined = the general reading holds. By that a 403 is the
   * failure of its call alone. Where the vendor documents a 403 body that names the key, this reads it as
   * `invalid_credential`, which stops all calls of this operation for a while.
   */
  readonly readFailure?: (answer: FailedAnswer) => FailureReading | undefined;
}
