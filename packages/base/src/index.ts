export {
  type ClientAddress,
  createClientAddress,
  networkOf,
  parseTrustedProxies,
} from './addresses/client-address.ts';
export { descriptorShortage, type LocalShortage, localShortage } from './faults/local-shortage.ts';
export type { Outage, OutageLog, ReportFault } from './faults/outage-log.ts';
export { causeOf, createOutageLog } from './faults/outage-log.ts';
export { faultCode, faultKind, faultReason } from './faults/store-faults.ts';
export { type BodyStream, createBodyStream, WHOLE_MAX_BYTES } from './text/body-stream.ts';
export { acceptedNames, contentCodings } from './text/header-lists.ts';
export { jsonFault } from './text/json-fault.ts';
export { createArrayText, type PartialNode, treeParts } from './text/json-pieces.ts';
export {
  arrayParts,
  type Json,
  type JsonMembers,
  type JsonParts,
  type JsonText,
  joined,
  jsonText,
  objectAround,
  objectParts,
  type Recorded,
  readJson,
  recorded,
  wellFormedJson,
} from './text/json-text.ts';
export { createLogOutput, type LogOutput } from './text/log-output.ts';
export { didYouMean, distance, nearest, plain } from './text/nearest.ts';
export { type BodyPart, bytesOf } from './text/part-queue.ts';
export { type Paint, readableLines } from './text/readable-lines.ts';
export { storable, storableText, withNumberAt } from './text/storable-json.ts';
export { builtInRows, readTableFile, type TableFormat, tableLines } from './text/table-file.ts';
export { decodeText, NotTextError, readFault, readTextFile } from './text/text-file.ts';
export { cutCodePoints, measureText, type TextMeasure } from './text/text-length.ts';
export {
  type Clock,
  DAY_MS,
  HOUR_MS,
  isoTime,
  LAST_SORTED_TIME,
  systemClock,
} from './time/clock.ts';
export {
  type Deadline,
  type EndReason,
  LATE,
  pause,
  startDeadline,
  within,
} from './time/deadline.ts';
export { createLightAbort, type LightAbort } from './time/light-abort.ts';
export { createSlices, createTurnLine, type TakeTurn } from './time/slices.ts';
export { type Closers, createClosers } from './waiting/closers.ts';
export {
  type ConcurrencyGate,
  callerIdOf,
  createConcurrencyGate,
  type LaneLoad,
  projectOfCaller,
  type SlotRequest,
} from './waiting/concurrency-gate.ts';
export { createInProgress, type InProgress } from './waiting/in-progress.ts';
export {
  createMemoryRateLimiter,
  MINUTE_MS,
  type RateAllowance,
  type RateLimiter,
  type RateStanding,
  tightest,
} from './waiting/rate-limiter.ts';
