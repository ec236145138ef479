/** A chain that may start now, or that another replica has walked meanwhile. */
export type Flight =
  /** `end`: call it when the page is in the cache, or did not come. */
  | { readonly kind: 'own'; readonly end: () => Promise<void> }
  /**
   * Another replica fetched the same page until now, or takes too long. Its page may be in the
   * cache.
   */
  | { readonly kind: 'waited' };

export interface FlightLimits {
  /** Ends the wait early. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970; the wait takes at most half of the time until then. */
  readonly deadlineAt: number;
}

/** Equal fetches of all replicas: one fetches, and the others wait for its page. */
export interface FetchFlights {
  begin(key: string, limits: FlightLimits): Promise<Flight>;
}
