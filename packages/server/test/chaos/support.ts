/** Shared functions of the chaos suite; see README.md. */

export { FORM, figure, itInFull, patient, percentile, sized, tally } from './support/figures.ts';
export { finishTraffic } from './support/finish-traffic.ts';
export { load } from './support/load.ts';
export { hasProc, NEEDS_PROC, openFiles, peakRssMb, resetPeak, rssMb } from './support/memory.ts';
export { type Pair, startPair } from './support/pair.ts';
export { type Latencies, latenciesOf, type Probe, startProbe } from './support/probe.ts';
export {
  type Answer,
  BOOTSTRAP_API_KEY,
  countRecords,
  startTrawl,
  type Trawl,
} from './support/server.ts';
export { type Stub, startStub } from './support/stub.ts';
export type { StubBehaviour, StubCounts } from './support/stub-types.ts';
export {
  type Checked,
  DEADLINE_MS,
  startTraffic,
  type Traffic,
} from './support/traffic.ts';
