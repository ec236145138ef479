export interface CallBehaviour {
  readonly status: number;
  readonly delayMs: number;
  /** Takes the call and never answers. */
  readonly hangs: boolean;
}

export interface StubBehaviour extends CallBehaviour {
  /** Result rows of an answer, and the characters of each row's text. */
  readonly rows: number;
  readonly rowCharacters: number;
  /** A change in the behaviour of `exa` or `brave`. */
  readonly vendors: Readonly<Record<string, Partial<CallBehaviour>>>;
  /** Whether calls are counted by their query, too. */
  readonly countsQueries: boolean;
}

export const INITIAL_BEHAVIOUR: StubBehaviour = {
  status: 200,
  delayMs: 0,
  hangs: false,
  rows: 5,
  rowCharacters: 600,
  vendors: {},
  countsQueries: false,
};

export interface StubCounts {
  calls: number;
  byVendor: Record<string, number>;
  /** In progress now, and the most at one time. */
  open: number;
  openMax: number;
  /** Calls that the caller left before the answer was complete. */
  aborted: number;
  /** Queries that were asked more than once. */
  repeated: number;
  /** Queries that were asked again while an earlier call was in progress. */
  together: number;
}

export type StubMessage =
  | { readonly kind: 'behave'; readonly behaviour: Partial<StubBehaviour> }
  | { readonly kind: 'counts' }
  | { readonly kind: 'clear' };
