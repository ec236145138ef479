export { type AccessHealth, accessesOf } from './runner/accesses.ts';
export { parseContent } from './runner/answer.ts';
export type { BreakerState, BreakerStore, ProviderHealth } from './runner/breaker.ts';
export { upstreamFailure } from './runner/failure.ts';
export type { ObservedCall, ObservedTarget, UpstreamObserver } from './runner/observe.ts';
export { callWithout } from './runner/optional-parts.ts';
export {
  createMemoryPaces,
  type PaceStore,
  type PaceTurn,
  type TurnRequest,
  type WaitCause,
} from './runner/pace.ts';
export { requestPayload } from './runner/request-payload.ts';
export { createUpstreamRunner, type MonitoredUpstreamRunner } from './runner/runner.ts';
export { keyTailOf } from './runner/secret.ts';
export {
  type OperationKind,
  OWN_CALLER,
  type RequestPayload,
  type UpstreamFailure,
  type UpstreamObstacle,
  type UpstreamRequest,
  type UpstreamResult,
  type UpstreamRunner,
  type UpstreamTarget,
} from './runner/types.ts';
