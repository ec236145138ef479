import { MalformedFault } from '../faults/fault.ts';
import type { FaultBook } from '../faults/fault-book.ts';
import { type Incoming, jsonReply, sandboxError, type VendorReply } from '../util/http.ts';
import { isObject, textAt } from '../util/json.ts';
import type { CallLog } from './call-log.ts';

/** First path segment of the sandbox's own endpoints. */
export const CONTROL_PREFIX = '__sandbox';

/** What the control endpoints show and change. */
interface Controlled {
  readonly vendors: ReadonlyMap<string, unknown>;
  readonly calls: CallLog;
  readonly faults: Pick<FaultBook, 'inject' | 'clear'>;
}

type Endpoint = (parts: Controlled, request: Incoming) => VendorReply;

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET /': ({ vendors }) => jsonReply(200, { vendors: [...vendors.keys()] }),
  'GET /calls': ({ calls }) => jsonReply(200, { calls: calls.all() }),
  'DELETE /calls': ({ calls }) => {
    calls.clear();
    return jsonReply(200, { ok: true });
  },
  'POST /faults': inject,
  'DELETE /faults': ({ faults }) => {
    faults.clear();
    return jsonReply(200, { ok: true });
  },
};

/** The sandbox's own endpoints, for tools outside this process. */
export function control(parts: Controlled, request: Incoming): VendorReply {
  const name = `${request.method} ${request.path}`;
  const endpoint = Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name] : undefined;
  return endpoint
    ? endpoint(parts, request)
    : sandboxError(404, `no ${name}; there are ${Object.keys(ENDPOINTS).join(', ')}`);
}

/** `{vendor, fault, times?, path?}`, like the arguments of `inject`. */
function inject(parts: Controlled, request: Incoming): VendorReply {
  const body = request.json();
  const vendor = textAt(body, 'vendor');
  const fault = textAt(body, 'fault');
  if (!isObject(body) || vendor === undefined || fault === undefined) {
    throw new MalformedFault('the body needs "vendor" and "fault", both strings');
  }
  const { times, path } = body;
  if (times !== undefined && typeof times !== 'number') {
    throw new MalformedFault('times must be a whole number of 1 or more');
  }
  if (path !== undefined && typeof path !== 'string') {
    throw new MalformedFault('path must be a string');
  }
  parts.faults.inject(vendor, fault, { times, path });
  return jsonReply(200, { ok: true });
}
