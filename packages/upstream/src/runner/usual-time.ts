/** The usual time of successful calls of each lane, so no call is sent that cannot end in time. */
export interface UsualTimes {
  /** Milliseconds that a call of this lane needs at least to be worth sending. */
  leastUseful(lane: string, timeoutMs: number): number;
  /** Milliseconds that a call of this lane usually takes; 0 = not known. */
  usual(lane: string): number;
  /** Records the time of one successful call. */
  took(lane: string, milliseconds: number): void;
}

/** Hardly any provider answers a search in less, and none renders a page. */
const SHORTEST_MS = 250;
/** Many calls are quicker than usual, so half the usual time may do. */
const SHARE_OF_USUAL = 0.5;
/** Weight of the latest call in the average. */
const LATEST = 0.2;

export function createUsualTimes(): UsualTimes {
  const averages = new Map<string, number>();
  return {
    leastUseful: (lane, timeoutMs) =>
      Math.min(timeoutMs, Math.max(SHORTEST_MS, SHARE_OF_USUAL * (averages.get(lane) ?? 0))),
    usual: (lane) => averages.get(lane) ?? 0,
    took: (lane, milliseconds) => {
      const known = averages.get(lane) ?? milliseconds;
      averages.set(lane, known + LATEST * (milliseconds - known));
    },
  };
}
