import type { FetchDeclaration } from './fetch.ts';
import type { SearchDeclaration } from './search.ts';

/** How often a service may be asked without a key, by all callers of a deployment together. */
export interface Pace {
  /** The shortest time between the starts of two calls, in milliseconds. */
  readonly everyMs: number;
  /** Calls in progress at once. */
  readonly inFlight: number;
  /**
   * The most calls in a span of so many seconds, which begins with its first call; absent = no such
   * limit.
   */
  readonly most?: { readonly calls: number; readonly seconds: number };
  /**
   * Services of one operator that count together have the same name here; absent = the provider's
   * own count.
   */
  readonly sharedAs?: string;
  /**
   * How long it is left alone after it limited the rate without naming a time, in milliseconds;
   * twice as long after each further refusal, up to `maxMs`. Absent = one minute.
   */
  readonly silence?: { readonly ms: number; readonly maxMs: number };
}

/** A public service that answers anyone without a key. */
export interface OpenSource {
  /** What it grants, such as "10,000 requests an hour per address". */
  readonly allowance: string;
  readonly pace: Pace;
  /** Why it exists only where the operator names it; absent = it exists in every deployment. */
  readonly onlyIfNamed?: string;
  /** What it asks of its callers' contact; absent = nothing. */
  readonly contact?: ContactRule;
}

export type ContactRule =
  /** It serves no caller without an e-mail address. */
  | { readonly kind: 'needed' }
  /**
   * It serves callers without one at another pace. `parameter`: an e-mail address is sent in it
   * too.
   */
  | { readonly kind: 'faster'; readonly paceWithout: Pace; readonly parameter?: string };

/** What is granted in one form of asking, and how often. */
interface Grant {
  /** Such as "about 100 searches a day per address". */
  readonly allowance: string;
  readonly pace: Pace;
}

/** How a vendor that has keys answers without one. What it leaves out is as with a key. */
export interface KeylessForm<Body>
  extends Grant,
    Partial<
      Pick<
        SearchDeclaration<Body>,
        'baseUrl' | 'capabilities' | 'filters' | 'queryLimit' | 'readFailure' | 'request'
      >
    > {}

/** The same for pages. */
export interface KeylessPages<Body>
  extends Grant,
    Partial<Pick<FetchDeclaration<Body>, 'capabilities' | 'readFailure' | 'request'>> {}

/** An open source with the key that its operator may have. What it leaves out is as without. */
export interface KeyedForm<Body>
  extends Grant,
    Partial<Pick<SearchDeclaration<Body>, 'price' | 'readFailure' | 'request'>> {}
