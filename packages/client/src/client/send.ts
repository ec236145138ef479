import type { Endpoint } from '../contract/routes.ts';
import { type ApiCall, CALL_NAMES, type CallOptions, type PaidCallOptions } from '../http/call.ts';
import { callForJson } from '../http/transport.ts';
import { checkNames } from '../values/names.ts';
import type { Connection } from '../values/options.ts';

/** A call that no provider is paid for, or one that is not repeated. */
export interface FreeCall extends Omit<ApiCall, 'endpoint' | 'options'> {
  readonly endpoint: Endpoint;
  readonly options: CallOptions | undefined;
}

export const PAID_NAMES = [...CALL_NAMES, 'idempotencyKey'];

/** @throws TrawlError `usage` when an option is unknown */
export async function read<T>(connection: Connection, call: FreeCall): Promise<T> {
  const { options = {} } = call;
  checkNames('this call', options, CALL_NAMES);
  return send(connection, { ...call, options });
}

/**
 * All attempts of a call share one key.
 * @throws TrawlError `usage` when an option is unknown
 */
export async function pay<T>(
  connection: Connection,
  call: Omit<FreeCall, 'options'>,
  options: PaidCallOptions = {},
): Promise<T> {
  checkNames('this call', options, PAID_NAMES);
  const { idempotencyKey = crypto.randomUUID() } = options;
  return send(connection, { ...call, buys: true, options: { ...options, idempotencyKey } });
}

/** The contract defines the answer of each route, so its JSON is not validated again. */
export const send = async <T>(connection: Connection, call: ApiCall): Promise<T> =>
  (await callForJson(connection, call)) as T;
