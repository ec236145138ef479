export { isApiError, isTrawlError, TrawlApiError, TrawlError } from '../values/errors.ts';
export { type Connection, MAX_TIMER_MS } from '../values/options.ts';
export { addressOf, type CallOptions, type PaidCallOptions } from './call.ts';
export { readRefusal } from './refusal.ts';
export { eventsOf } from './stream.ts';
export { callForJson, callForText } from './transport.ts';
