import type { DataUse, JsonObject } from '@trawl/contract';
import type { PriceList } from '../values/price.ts';
import type {
  Authentication,
  FailedAnswer,
  FailureReading,
  OptionalPart,
  SecretPart,
} from './call.ts';
import type { OpenSource } from './keyless.ts';

/** What a vendor's search and its fetch have in common. */
export interface Vendor {
  readonly slug: string;
  readonly name: string;
  /**
   * Scheme, host and any path prefix; null where each operator has their own, which must then be
   * set.
   */
  readonly baseUrl: string | null;
  /**
   * The path of its calls at `baseUrl`, where it differs from the path under an operator's own base
   * URL.
   */
  readonly pathAtBaseUrl?: `/${string}`;
  readonly authentication: Authentication;
  /**
   * A public service that anyone may ask without a key; absent = a vendor with keys, or the
   * operator's own service.
   */
  readonly open?: OpenSource;
  /**
   * Environment variables that may hold the key, the first that is set counts; empty = needs none.
   */
  readonly credentialVariables: readonly string[];
  /**
   * Where a key is made, and what one is given without paying; absent = not known, or it takes
   * none.
   */
  readonly keyPage?: { readonly url: string; readonly free?: string };
  /** The operator declared it in a file, so it is set up as it is. */
  readonly isDeclared?: true;
  /** Of a declared one. */
  readonly secretParts?: readonly SecretPart[];
  readonly prices: PriceList;
  /** What it does with what is sent, by its public terms. */
  readonly dataUse: DataUse;
}

/** What both a search and a fetch declare. */
export interface Operation {
  readonly description: string;
  readonly docsUrl: string;
  /** Set where this operation has its own host. */
  readonly baseUrl?: string;
  /** Calls in progress at once. */
  readonly concurrency: number;
  /** Parts of its calls that a plan may refuse; a parameter that the caller set is not left out. */
  readonly optionalParts?: readonly OptionalPart[];
  /**
   * Statuses or bodies with a vendor-specific meaning; undefined = the general reading applies.
   * There a 403 is the failure of its call alone. Where the vendor documents a 403 body that names
   * the key, this reads it as `invalid_credential`, which stops all calls of this operation for a
   * while.
   */
  readonly readFailure?: (answer: FailedAnswer) => FailureReading | undefined;
  /**
   * How long a good answer asks callers to wait before the next call, in milliseconds; null = not
   * at all.
   */
  readonly readBackoff?: (body: JsonObject) => number | null;
}

/** Of a vendor about whose use of data nothing was found. What was found replaces its members. */
export const UNKNOWN_USE = {
  training: 'unknown',
  retention: 'unknown',
  region: 'unknown',
  source: null,
} as const;
